# Calls of opgate_add_op() that cannot be meant.
include("${CMAKE_CURRENT_LIST_DIR}/tiny_project.cmake")

start_project()
write_small_spec(add)

write_project("" "opgate_add_op(add SOURCES add.cu)")
expect_refused("opgate_add_op(add): testing is not enabled, so its cases would be lost")
write_project("" "add_subdirectory(ops)")
file(WRITE "${source}/ops/CMakeLists.txt" "enable_testing()\nopgate_add_op(add SOURCES add.cu)\n")
expect_refused("testing is enabled in a subdirectory only")

macro(expect_call_refused call what)
  write_project("enable_testing()" "${call}")
  expect_refused("${what}")
endmacro()
expect_call_refused("opgate_add_op(add SOURCES add.cu SORCES b.cu)" "opgate_add_op(add): unknown: SORCES")
expect_call_refused("opgate_add_op(add LIBRARIES a SOURCES add.cu)" "opgate_add_op(add): unknown: LIBRARIES a")
expect_call_refused("opgate_add_op(add SOURCES add.cu LINK_LIBRARIES m DEFINES A=1)" "unknown: DEFINES")
expect_call_refused("opgate_add_op(add)" "opgate_add_op(add): there are no SOURCES")
expect_call_refused("opgate_add_op(add SOURCES)" "SOURCES has no value")
expect_call_refused("opgate_add_op(add SOURCES add.cu SPEC)" "SPEC has no value")
expect_call_refused("opgate_add_op(Add SOURCES add.cu)" "opgate_add_op(Add): this is no name for an op")
expect_call_refused("opgate_add_op(moe_gate SOURCES add.cu)" "the op \"moe_gate\" contains \"gate\"")
expect_call_refused("opgate_add_op(mul SOURCES mul.cu)" "opgate_add_op(mul): the spec ${source}/specs/mul.json does not exist")
expect_call_refused("opgate_add_op(add SOURCES add.cu)\nopgate_add_op(add SOURCES b.cu)"
  "opgate_add_op(add): there is already an op of this name")
expect_call_refused("set(OPGATE_HAVE_CUDA ON)\nopgate_add_op(add SOURCES add.cu)" "CUDA is not enabled in this directory")
expect_call_refused("opgate_add_op(add SOURCES add.cu)\nset(OPGATE_REPLAY nowhere CACHE PATH \"\" FORCE)" "there is no folder")
file(REMOVE_RECURSE "${build}")

write_small_spec(left_over)
write_spec(specs/op.schema.json "{}")
expect_call_refused("opgate_add_op(add SOURCES add.cu)" "${source}/specs/left_over.json: no op uses this spec")
file(REMOVE "${source}/specs/left_over.json")
expect_configured()
# A spec that appears later is found by the next build.
write_small_spec(late)
execute_process(COMMAND "${CMAKE_COMMAND}" --build "${build}" RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
if(result EQUAL 0 OR NOT output MATCHES "late.json")
  message(SEND_ERROR "a new spec without an op was not found: ${output}")
endif()
file(REMOVE "${source}/specs/late.json")

# SPEC names a file elsewhere, relative to the caller.
file(RENAME "${source}/specs/add.json" "${source}/ops/add.json")
file(WRITE "${source}/ops/CMakeLists.txt" "opgate_add_op(add SOURCES add.cu SPEC add.json)\n")
write_project("enable_testing()" "add_subdirectory(ops)")
expect_configured()
