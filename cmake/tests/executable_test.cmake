# The executable of an op: built into <build>/bin, linked with its case_main, run by ctest, skipped by code 77.
include("${CMAKE_CURRENT_LIST_DIR}/tiny_project.cmake")

start_project()
write_small_spec(add)
file(WRITE "${source}/case_main.cpp" "#include <cstdio>
int answer();
int main(int count, char** words) {
  std::printf(\"%s %d\\n\", count > 1 ? words[1] : \"none\", answer());
  return words[1][4] == 'l' ? 77 : 0;
}\n")
file(WRITE "${source}/ops/add.cpp" "int answer() { return ANSWER; }\nstatic_assert(__cplusplus >= 202002L);\n")
file(WRITE "${source}/ops/CMakeLists.txt" "opgate_add_op(add SOURCES add.cpp COMPILE_DEFINITIONS ANSWER=42)\n")
file(WRITE "${source}/CMakeLists.txt" "cmake_minimum_required(VERSION 3.25)
project(tiny LANGUAGES CXX)
enable_testing()
set(OPGATE_HAVE_CUDA ON)
add_library(opgate_app STATIC case_main.cpp)
add_library(opgate::case_main ALIAS opgate_app)
add_executable(opgate::command IMPORTED)
set_target_properties(opgate::command PROPERTIES IMPORTED_LOCATION \"${CMAKE_COMMAND}\")
include(\"${MODULES}/Opgate.cmake\")
add_subdirectory(ops)
")
expect_configured()
execute_process(COMMAND "${CMAKE_COMMAND}" --build "${build}" OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND "${build}/bin/op_add" add.small.f16 OUTPUT_VARIABLE said COMMAND_ERROR_IS_FATAL ANY)
expect_equal("op_add" "${said}" "add.small.f16 42\n")
# -FA leaves the fixtures out: there is no opgate command here.
execute_process(COMMAND "${CMAKE_CTEST_COMMAND}" -FA opgate_run -R ^add
  WORKING_DIRECTORY "${build}" OUTPUT_VARIABLE said RESULT_VARIABLE result)
if(NOT result EQUAL 0 OR NOT said MATCHES "add.small.f16 \\.+ +Passed" OR NOT said MATCHES "add.large.f16 \\.+\\*\\*\\*Skipped")
  message(SEND_ERROR "ctest: ${result}\n${said}")
endif()
