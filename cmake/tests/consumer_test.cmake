# Another project uses opgate, from a folder below its top one, with its own op, spec, baselines and history. HOW: package
# (find_package of an installed opgate), subdirectory, or fetch (FetchContent). OPGATE_TEST_CONSUMERS=1 builds the last two as
# well, which compiles opgate anew.
include("${CMAKE_CURRENT_LIST_DIR}/tiny_project.cmake")

start_project()
write_spec(specs/twice.json [=[{"op": "twice", "doc": "y = 2 x", "inputs": {"x": "dtype[n]"}, "outputs": {"y": "dtype[n]"},
  "dtypes": ["f32"], "workloads": [
    {"name": "small", "n": 1},
    {"name": "large", "n": 9}]}]=])
set(cuda -DOPGATE_CUDA=OFF)
if(CUDA_COMPILER)
  set(cuda -DOPGATE_CUDA=ON -DCMAKE_CUDA_COMPILER=${CUDA_COMPILER} -DCMAKE_CUDA_ARCHITECTURES=90a)
endif()
if(LAUNCHER)
  list(APPEND cuda "-DCMAKE_CXX_COMPILER_LAUNCHER=${LAUNCHER}" "-DCMAKE_CUDA_COMPILER_LAUNCHER=${LAUNCHER}")
endif()
set(how_package "find_package(opgate 0.2 QUIET)
if(opgate_FOUND)
  message(FATAL_ERROR \"0.1 passes for 0.2\")
endif()
find_package(opgate 0.1 REQUIRED)\nfind_package(opgate 0.1 REQUIRED)")
set(how_subdirectory "add_subdirectory(\"${OPGATE_SOURCE}\" opgate EXCLUDE_FROM_ALL)")
set(how_fetch "include(FetchContent)
FetchContent_Declare(opgate SOURCE_DIR \"${OPGATE_SOURCE}\")
FetchContent_MakeAvailable(opgate)")
file(WRITE "${source}/CMakeLists.txt" "cmake_minimum_required(VERSION 3.25)
project(consumer LANGUAGES CXX)
enable_testing()
add_subdirectory(ops)
")
file(WRITE "${source}/ops/CMakeLists.txt" "${how_${HOW}}
opgate_enable_cuda()
opgate_add_op(twice SOURCES twice.cu SPEC \${PROJECT_SOURCE_DIR}/specs/twice.json)
add_executable(uses uses.cpp)
target_link_libraries(uses PRIVATE opgate::case_main)
get_target_property(options opgate::case_main INTERFACE_COMPILE_OPTIONS)
file(WRITE \"\${CMAKE_BINARY_DIR}/told.txt\" \"\${options} \${opgate_VERSION}\")
")
file(WRITE "${source}/ops/uses.cpp" "#include <opgate/bench.hpp>
int main() { return opgate::BenchOptions{}.min_iterations == 10 ? 0 : 1; }\n")
file(WRITE "${source}/ops/twice.cu" "#include <opgate/cuda.cuh>
#include <opgate/op.hpp>
struct Twice : opgate::Op { void run(const opgate::Call&) override {} };
OPGATE_OP(twice, Twice)
OPGATE_REFERENCE(twice, [](const opgate::Call&) {})\n")

# Nothing of opgate's own tests, ops or warnings may come along.
expect_configured(--no-warn-unused-cli -G Ninja -DCMAKE_BUILD_TYPE=${CONFIG} -DCMAKE_PREFIX_PATH=${PREFIX} ${cuda}
  -DOPGATE_HISTORY=measured/mine.sqlite -DOPGATE_BASELINES=expected)
if(output MATCHES "Deprecat|CMake Warning")
  message(SEND_ERROR "configuring warns:\n${output}")
endif()
file(READ "${build}/told.txt" told)
expect_equal("options for consumers, and version" "${told}" "options-NOTFOUND ${VERSION}")
list_tests()
expect_equal("tests" "${names}" "opgate.complete;opgate.machine;twice.large.f32;twice.small.f32")
if(NOT HOW STREQUAL "package" AND NOT "$ENV{OPGATE_TEST_CONSUMERS}")
  return()
endif()

set(folder "${build}")
include("${CMAKE_CURRENT_LIST_DIR}/run_or_fail.cmake")

run("${CMAKE_COMMAND}" --build "${build}")
run("${build}/ops/uses")
set(ENV{OPGATE_NVML_LIBRARY} "${SCRATCH}/libnone.so") # no GPU, whatever this machine has
set(ENV{OPGATE_PCI_DEVICES} "${SCRATCH}/no-bus")
file(MAKE_DIRECTORY "${SCRATCH}/no-bus")
run("${CMAKE_CTEST_COMMAND}" --no-tests=error -R twice)
if(NOT said MATCHES "twice.small.f32 \\.+\\*\\*\\*Skipped")
  message(FATAL_ERROR "ctest in the consumer:\n${said}")
endif()

# The command finds this project's history and baselines. Named, because this prefix lies in opgate's own build folder.
set(ENV{OPGATE_PROJECT} "${build}/opgate/project.json")
set(opgate "${PREFIX}/bin/opgate")
if(NOT HOW STREQUAL "package")
  set(opgate "${build}/bin/opgate")
endif()
set(rows "run,case,iteration,busy_ns,latency_ns,n_kernels,sm_mhz\n")
foreach(run RANGE 1 5)
  foreach(iteration RANGE 11)
    string(APPEND rows "${run},twice.small.f32,${iteration},5000,5000,1,1980\n")
  endforeach()
endforeach()
file(WRITE "${SCRATCH}/rows.csv" "${rows}")
run("${opgate}" import "${SCRATCH}/rows.csv")
run("${opgate}" baseline accept --runs 1,2,3,4,5 --reason first)
file(GLOB baselines "${source}/expected/*/twice.json")
if(NOT EXISTS "${source}/measured/mine.sqlite" OR NOT baselines)
  message(FATAL_ERROR "history and baselines are not where the project keeps them:\n${said}")
endif()
