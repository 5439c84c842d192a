# `ctest -L nightly` over the recorded traces: the whole pipeline without a GPU, each case checked by name.
# Variables: ROOT, COMMAND, CASE_RUNNER, SCRATCH.
include("${CMAKE_CURRENT_LIST_DIR}/replayed_project.cmake")

set(passing add.llama3-8b-prefill.bf16 gemm.square-4096.bf16 rmsnorm.llama3-8b-prefill.f16)
set(regressed gemm.llama3-8b-qkv-decode-1.bf16)
set(not_comparable add.llama3-8b-decode-1.f32 add.llama3-8b-decode-64.f16 gemm.llama3-8b-o-decode-1.bf16
  rmsnorm.llama3-8b-decode-1.bf16)
set(why_add.llama3-8b-decode-64.f16 "protocol differs: opgate-1 in the baseline, method-1 now")
# A trace is what one process saw.
set(why_gemm.llama3-8b-o-decode-1.bf16 "processes of a reading differs: 4 in the baseline, 1 now")
set(why_rmsnorm.llama3-8b-decode-1.bf16 "${why_gemm.llama3-8b-o-decode-1.bf16}")
set(why_add.llama3-8b-decode-1.f32 "${why_gemm.llama3-8b-o-decode-1.bf16}")
set(untrusted selftest.copies.f32 selftest.host-only.f32 selftest.launches-nothing.f32 selftest.off-thread.f32
  selftest.records-lost.f32 selftest.still-running.f32 selftest_device.child-frees.f32 selftest_device.child-kernel.f32
  selftest_device.child-synchronises.f32)
set(says_selftest.copies.f32 unmeasured_copies "1 x cudaMemcpyAsync[_v0-9]*, 524288 bytes")
set(says_selftest.host-only.f32 attribution "launched nothing")
set(says_selftest.launches-nothing.f32 attribution "launched nothing")
set(says_selftest.off-thread.f32 off_thread_launch "scale.*from thread [0-9]+")
set(says_selftest.records-lost.f32 records_lost "dropped [0-9]+ records")
set(says_selftest.still-running.f32 attribution "its stream is not joined to the call's")
foreach(name IN ITEMS child-frees child-kernel child-synchronises)
  set(says_selftest_device.${name}.f32 attribution "work that no record tells of")
endforeach()

# Runs the opgate command on the replay's history; sets code and said.
macro(opgate)
  execute_process(COMMAND "${COMMAND}" ${ARGN} RESULT_VARIABLE code OUTPUT_VARIABLE said ERROR_VARIABLE said)
endmacro()

# What the history holds of a case, and how its test ended.
function(expect_case name state wanted_outcome wanted_code)
  string(REPLACE "." "\\." pattern "${name}")
  expect_match("ctest on ${name}" "${tested}" " ${pattern} \\.+[* ]*${state} ")
  opgate(export --no-samples --filter "^${pattern}$")
  string(JSON outcome GET "${said}" outcome)
  string(JSON exit_code GET "${said}" exit_code)
  expect_equal("${name}'s outcome" "${outcome}" "${wanted_outcome}")
  expect_equal("${name}'s exit code" "${exit_code}" "${wanted_code}")
  string(JSON replayed GET "${said}" attempts 0 replayed)
  if(wanted_outcome STREQUAL "skipped")
    expect_equal("${name} replayed" "${replayed}" OFF)
  else()
    expect_equal("${name} replayed" "${replayed}" ON)
    execute_process(COMMAND "${CMAKE_COMMAND}" -E env "OPGATE_REPLAY=${ROOT}/framework/tests/data/traces"
      "${CASE_RUNNER}" "${name}" --no-store RESULT_VARIABLE code OUTPUT_QUIET)
    expect_equal("${name} by hand" "${code}" "${wanted_code}")
  endif()
  set(said "${said}" PARENT_SCOPE)
endfunction()

configure_replay()
set(ENV{OPGATE_PROJECT} "${build}/opgate/project.json")
list_tests(-L nightly)
list(REMOVE_ITEM names opgate.complete opgate.machine)
list(LENGTH names selected)

execute_process(COMMAND "${CMAKE_CTEST_COMMAND}" -L nightly WORKING_DIRECTORY "${build}"
  RESULT_VARIABLE result OUTPUT_VARIABLE tested ERROR_VARIABLE tested)
expect_equal("ctest's exit code" "${result}" 8)

foreach(name IN LISTS passing)
  expect_case(${name} Passed pass 0)
endforeach()
foreach(name IN LISTS not_comparable)
  expect_case(${name} Failed not-comparable 4)
  expect_match("${name}" "${said}" "${why_${name}}")
endforeach()
expect_case(${regressed} Failed regressed 1)
expect_match("${regressed}" "${said}" "beyond the limit of .*a fresh process confirms it")
foreach(name IN LISTS untrusted)
  expect_case(${name} Failed untrusted 2)
  list(GET says_${name} 0 error)
  list(GET says_${name} 1 text)
  string(JSON got GET "${said}" attempts 0 error)
  expect_equal("${name}'s error" "${got}" "${error}")
  string(JSON got GET "${said}" attempts 0 message)
  expect_match("${name}'s message" "${got}" "${text}")
  string(JSON got LENGTH "${said}" attempts 0 implementations)
  expect_equal("${name}'s numbers" "${got}" 0)
endforeach()

set(without_trace ${names})
list(REMOVE_ITEM without_trace ${passing} ${regressed} ${not_comparable} ${untrusted})
list(LENGTH without_trace skipped)
foreach(name IN LISTS without_trace)
  expect_case(${name} Skipped skipped 77)
  expect_match("${name}" "${said}" "no recorded trace in ")
endforeach()

expect_match("opgate.machine" "${tested}" " opgate\\.machine \\.+ +Passed ")
expect_match("opgate.complete" "${tested}" " opgate\\.complete \\.+ +Passed ")
file(READ "${build}/Testing/Temporary/LastTest.log" log)
expect_match("opgate.complete's last line" "${log}" "run 1 \\([^ ]*ctest -L nightly\\): 8 of ${selected} selected cases judged, \
17 replayed from recorded traces, NOT MEASURED: 3 pass, 1 regressed, 4 not comparable. no number: 9 untrusted, ${skipped} skipped\n")

# The worst code of the run, in the order 3, 2, 5, 1, 6, 4, 0.
foreach(filter_and_code IN ITEMS ".=2" "^(add|gemm)=1" "^(add.llama3-8b-prefill|selftest)=2" "^add=4" "^gemm.square=0")
  string(REGEX MATCH "^(.*)=([0-9])$" whole "${filter_and_code}")
  set(wanted "${CMAKE_MATCH_2}")
  opgate(judge --run last --check --filter "${CMAKE_MATCH_1}")
  expect_equal("judge ${whole}" "${code}" "${wanted}")
endforeach()

opgate(runs --json)
string(JSON replayed GET "${said}" replayed)
expect_equal("the run is marked" "${replayed}" ON)
if(NOT EXISTS "${source}/results/replay.sqlite" OR EXISTS "${source}/results/history.sqlite")
  message(SEND_ERROR "a replay belongs into results/replay.sqlite and nowhere else")
endif()
