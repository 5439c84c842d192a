# Which cases exist, whatever the spec's spacing, and what the usual selections list.
include("${CMAKE_CURRENT_LIST_DIR}/tiny_project.cmake")

start_project()
write_spec(specs/gemm.json [=[
{ "$schema": "op.schema.json", "op": "gemm", "doc": "c = a; b [not a list",
  "params": {"alpha": 1}, "dtypes": ["f16", "bf16"], "labels": ["linear"],
  "workloads": [
    {"name": "decode", "m": 1, "labels": ["nightly", "gate"], "why": "a } ; \" ] \\ \"name\": \"no\""},
    {"name": "prefill-8b", "m": 4096, "params": {"name": 3, "timeout_s": 1}, "labels": []} ] }
]=])
# One line, other order, no blanks, a name written with an escape, labels that need more than one line.
write_spec(specs/add.json [=[{"workloads":[{"labels":["nightly","first_family_of_workloads","second_family_of_workloads","third_family"],"why":"é","name":"\u0073mall"},{"name":"x_1"}],"dtypes":["f32"],"op":"add"}]=])
write_spec(specs/wide.json "
{
\t\"op\"
:
\t\"wide\",\r
  \"dtypes\": [
    \"f32\"
  ],
  \"workloads\":
  [
    {
      \"name\"   :

        \"only\"
    }
  ]
}")
# Whatever the project calls its own variables.
foreach(name IN ITEMS groups names cases kinds labels same text rest before pattern where passed workloads timeouts)
  string(APPEND variables "set(${name} mine)\n")
endforeach()
write_project("enable_testing()" "
${variables}add_subdirectory(ops)")
file(WRITE "${source}/ops/CMakeLists.txt" "
opgate_add_op(gemm SOURCES gemm.cu LINK_LIBRARIES CUDA::cublas COMPILE_DEFINITIONS WIDE=1)
opgate_add_op(add SOURCES add.cu)
opgate_add_op(wide SOURCES wide.cu)
")
expect_configured()

set(fixtures opgate.complete opgate.machine)
set(gemm gemm.decode.bf16 gemm.decode.f16 gemm.prefill-8b.bf16 gemm.prefill-8b.f16)
list_tests()
expect_equal("all tests" "${names}" "add.small.f32;add.x_1.f32;${gemm};${fixtures};wide.only.f32")
list_tests(-L nightly)
expect_equal("-L nightly" "${names}" "add.small.f32;gemm.decode.bf16;gemm.decode.f16;${fixtures}")
list_tests(-L gate)
expect_equal("-L gate" "${names}" "gemm.decode.bf16;gemm.decode.f16;${fixtures}")
list_tests(-R gemm)
expect_equal("-R gemm" "${names}" "${gemm};${fixtures}")
list_tests(-L unit)
expect_equal("-L unit" "${names}" "")

list_tests()
test_value(add.small.f32 LABELS labels)
expect_equal("labels over several lines" "${labels}"
  "add;f32;first_family_of_workloads;gpu;nightly;second_family_of_workloads;third_family")
test_value(gemm.prefill-8b.f16 LABELS labels)
expect_equal("labels of the op" "${labels}" "f16;gemm;gpu;linear")

# A changed spec configures again by itself.
write_small_spec(add)
execute_process(COMMAND "${CMAKE_COMMAND}" --build "${build}" OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
list_tests(-R add)
expect_equal("after a change of the spec" "${names}" "add.large.f16;add.small.f16;${fixtures}")
