# Another project uses opgate: installed, by FetchContent, by add_subdirectory; from a folder below its top one.
include("${CMAKE_CURRENT_LIST_DIR}/tiny_project.cmake")

start_project()
write_spec(specs/add.json [=[{"op": "add", "doc": "y = x", "inputs": {"x": "dtype[n]"}, "outputs": {"y": "dtype[n]"},
  "dtypes": ["f16"], "workloads": [
    {"name": "small", "n": 1},
    {"name": "large", "n": 9}]}]=])
set(languages CXX)
set(cuda -DOPGATE_CUDA=OFF)
if(CUDA_COMPILER)
  set(languages "CXX CUDA")
  set(cuda -DOPGATE_CUDA=ON -DCMAKE_CUDA_COMPILER=${CUDA_COMPILER} -DCMAKE_CUDA_ARCHITECTURES=90a)
endif()
file(WRITE "${source}/CMakeLists.txt" "cmake_minimum_required(VERSION 3.25)
project(consumer LANGUAGES ${languages})
enable_testing()
add_subdirectory(ops)
")
file(WRITE "${source}/ops/uses.cpp" "#include <opgate/bench.hpp>
int main() { return opgate::BenchOptions{}.min_iterations == 10 ? 0 : 1; }\n")
file(WRITE "${source}/ops/add.cu" "")

macro(expect_usable how)
  file(WRITE "${source}/ops/CMakeLists.txt" "${how}
opgate_add_op(add SOURCES add.cu)
add_executable(uses uses.cpp)
target_link_libraries(uses PRIVATE opgate::case_main)
get_target_property(options opgate::case_main INTERFACE_COMPILE_OPTIONS)
file(WRITE \"\${CMAKE_BINARY_DIR}/options.txt\" \"\${options}\")
")
  file(REMOVE_RECURSE "${build}")
  # Nothing of opgate's own tests, ops or warnings may come along.
  expect_configured(-G Ninja -DCMAKE_BUILD_TYPE=${CONFIG} -DCMAKE_PREFIX_PATH=${SCRATCH}/prefix ${cuda})
  file(READ "${build}/options.txt" options)
  expect_equal("options for consumers" "${options}" "options-NOTFOUND")
  list_tests()
  expect_equal("tests" "${names}" "add.large.f16;add.small.f16;opgate.complete;opgate.machine")
endmacro()

execute_process(COMMAND "${CMAKE_COMMAND}" --install "${OPGATE_BUILD}" --config "${CONFIG}" --prefix "${SCRATCH}/prefix"
  OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
expect_usable("find_package(opgate 0.1 REQUIRED)\nfind_package(opgate 0.1 REQUIRED)")
if(NOT CUDA_COMPILER)
  # With CUDA a real op would be needed, which only a full build has.
  execute_process(COMMAND "${CMAKE_COMMAND}" --build "${build}" OUTPUT_VARIABLE said ERROR_VARIABLE said RESULT_VARIABLE result)
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "an installed opgate cannot be linked:\n${said}")
  endif()
  execute_process(COMMAND "${build}/ops/uses" COMMAND_ERROR_IS_FATAL ANY)
  execute_process(COMMAND "${CMAKE_CTEST_COMMAND}" -R add
    WORKING_DIRECTORY "${build}" OUTPUT_VARIABLE said RESULT_VARIABLE result)
  if(NOT result EQUAL 0 OR NOT said MATCHES "add.small.f16 \\.+\\*\\*\\*Skipped")
    message(FATAL_ERROR "ctest in the consumer: ${result}\n${said}")
  endif()
endif()

expect_usable("add_subdirectory(\"${OPGATE_SOURCE}\" opgate EXCLUDE_FROM_ALL)")
expect_usable("include(FetchContent)
FetchContent_Declare(opgate SOURCE_DIR \"${OPGATE_SOURCE}\")
FetchContent_MakeAvailable(opgate)")
