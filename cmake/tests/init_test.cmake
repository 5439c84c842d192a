# opgate init, as installed, into a folder that is not there yet: what it wrote configures, builds and passes at once.
# Variables: OPGATE (the command), OPTION (how the project finds opgate), LAUNCHER, SCRATCH.
cmake_minimum_required(VERSION 3.25)
set(project "${SCRATCH}/my ops")
file(REMOVE_RECURSE "${SCRATCH}")
file(MAKE_DIRECTORY "${SCRATCH}/no-bus")

include("${CMAKE_CURRENT_LIST_DIR}/run_or_fail.cmake")

run("${OPGATE}" init "${project}" --op twice)
string(FIND "${said}" "  cmake -S '${project}' -B '${project}/build' ${OPTION}\n" found)
if(found EQUAL -1)
  message(FATAL_ERROR "it does not name ${OPTION}:\n${said}")
endif()
set(options --no-warn-unused-cli -G Ninja ${OPTION})
if(LAUNCHER)
  list(APPEND options "-DCMAKE_CXX_COMPILER_LAUNCHER=${LAUNCHER}" "-DCMAKE_CUDA_COMPILER_LAUNCHER=${LAUNCHER}")
endif()
run("${CMAKE_COMMAND}" -S "${project}" -B "${project}/build" ${options})
if(said MATCHES "Deprecat|CMake Warning")
  message(SEND_ERROR "configuring warns:\n${said}")
endif()
run("${CMAKE_COMMAND}" --build "${project}/build")
set(ENV{OPGATE_NVML_LIBRARY} "${SCRATCH}/libnone.so") # no GPU, whatever this machine has
set(ENV{OPGATE_PCI_DEVICES} "${SCRATCH}/no-bus")
unset(ENV{OPGATE_REQUIRE_GPU})
run("${CMAKE_CTEST_COMMAND}" --test-dir "${project}/build" --no-tests=error -L nightly)
if(NOT said MATCHES "twice.large.f32 \\.+\\*\\*\\*Skipped")
  message(FATAL_ERROR "ctest:\n${said}")
endif()

# Again: nothing is overwritten.
file(WRITE "${project}/specs/twice.json" "mine")
execute_process(COMMAND "${OPGATE}" init "${project}" --op twice RESULT_VARIABLE result ERROR_VARIABLE said)
file(READ "${project}/specs/twice.json" spec)
if(NOT result EQUAL 3 OR NOT spec STREQUAL "mine" OR NOT said MATCHES "there is already .*fix: ")
  message(FATAL_ERROR "a second init gave ${result}:\n${said}")
endif()
