# The run of a ctest process, through a real ctest over recorded traces: what opgate.complete finds missing or doubled.
include("${CMAKE_CURRENT_LIST_DIR}/end_to_end.cmake")

start_project()
set(one add.llama3-8b-decode-1.f32)
set(two gemm.square-4096.bf16)
file(COPY "${DATA}/traces/${one}.trace.jsonl" "${DATA}/traces/${two}.trace.jsonl" DESTINATION "${traces}")

# write_tests(environment line...): the fixtures, and the lines; `environment` is a list.
function(write_tests environment)
  set(text "add_test(opgate.machine \"${OPGATE}\" fixture open)\nadd_test(opgate.complete \"${OPGATE}\" fixture close)\n")
  string(APPEND text "set_tests_properties(opgate.machine PROPERTIES FIXTURES_SETUP opgate_run)\n")
  string(APPEND text "set_tests_properties(opgate.complete PROPERTIES FIXTURES_CLEANUP opgate_run)\n")
  string(APPEND text "set_tests_properties(opgate.machine opgate.complete PROPERTIES SKIP_RETURN_CODE 77 ENVIRONMENT \"${environment}\")\n")
  list(JOIN ARGN "\n" lines)
  file(WRITE "${build}/CTestTestfile.cmake" "${text}${lines}\n")
endfunction()

# A line of it: the test `name` runs the case `case`.
function(case_line out name case program)
  set(${out} "add_test(${name} \"${program}\" ${case})
set_tests_properties(${name} PROPERTIES SKIP_RETURN_CODE 77 FIXTURES_REQUIRED opgate_run ENVIRONMENT \"${replay}\")" PARENT_SCOPE)
endfunction()
case_line(run_one ${one} ${one} "${OPGATE_CASE}")
case_line(run_two ${two} ${two} "${OPGATE_CASE}")
case_line(ghost ghost.a.f32 ghost.a.f32 "${SCRATCH}/no-such-program")
case_line(again again ${one} "${OPGATE_CASE}")
set(ctest "${CMAKE_CTEST_COMMAND}" --test-dir "${build}" -V)

# Everything selected was recorded, and ctest's own log holds it although opgate asked another ctest meanwhile.
write_tests("${replay}" "${run_one}" "${run_two}")
expect(0 SAYS "2 of 2 selected cases judged, 2 replayed" LACKS "NOT RECORDED" RUN ${ctest})
file(READ "${build}/Testing/Temporary/LastTest.log" log)
if(NOT log MATCHES "2 of 2 selected cases judged")
  message(SEND_ERROR "ctest's log was lost:\n${log}")
endif()
expect(0 SAYS "1 of 1 selected case judged" LACKS "NOT RECORDED" RUN ${ctest} -R ^gemm)

# A case that never started is missed by name.
write_tests("${replay}" "${run_one}" "${ghost}")
expect(8 SAYS "NOT RECORDED +ghost.a.f32" "1 of 2 selected cases" "opgate.complete \\(Failed\\)" LACKS "NOT RECORDED +${one}" RUN ${ctest})
expect(0 SAYS "1 of 1 selected case " RUN ${ctest} -E ghost)

# A case that ran twice in one run is named; a repeated worker would be an attempt, never this.
write_tests("${replay}" "${run_one}" "${again}" "set_tests_properties(again PROPERTIES DEPENDS ${one})")
expect(8 SAYS "RECORDED TWICE +${one} +2 times" "opgate.complete \\(Failed\\)" RUN ${ctest})

# Asked to repeat what failed, ctest closes the run again: it stays failed instead of being none.
expect(8 SAYS "RECORDED TWICE +${one} +2 times" "opgate.complete \\(Failed\\)" LACKS "no run was opened" RUN ${ctest} --repeat until-pass:2)

# A case started by hand is a run of its own.
expect(0 SAYS "\"origin\": ?\"replay\"" RUN "${OPGATE}" runs --json)
expect(0 ENV ${replay} RUN "${OPGATE_CASE}" ${one})
expect(0 SAYS "\"label\": ?\"[^\"]*opgate_case ${one}\"" RUN "${OPGATE}" runs --json)

# A machine without a GPU.
set(environment ${no_gpu})
write_tests("${environment}")
expect(0 SAYS "skipped: no NVIDIA GPU" "no run was opened, nothing was measured" RUN ${ctest})
write_tests("${environment};OPGATE_REQUIRE_GPU=1")
expect(8 SAYS "cannot run: no NVIDIA GPU" "opgate.machine \\(Failed\\)" "opgate.complete \\(Failed\\)" RUN ${ctest})
expect(3 SAYS "cannot run: no run was opened" "fix: mend what opgate.machine printed" ENV OPGATE_REQUIRE_GPU=1 RUN "${OPGATE}" fixture close)

# A run in which nothing was measured, although a GPU is required.
write_tests("${replay};OPGATE_REQUIRE_GPU=1" "${ghost}")
expect(8 SAYS "nothing was measured, although OPGATE_REQUIRE_GPU=1" RUN ${ctest})

# Two ctest processes at once in one build tree: each has its run, with each case once. Both wait in the middle until
# the other is there.
file(WRITE "${SCRATCH}/meet.sh" "touch \"${SCRATCH}/met.$PPID\"\nfor i in $(seq 100); do
  [ $(ls \"${SCRATCH}\" | grep -c '^met') -ge 2 ] && exit 0\n  sleep 0.1\ndone\nexit 1\n")
write_tests("${replay}" "${run_one}" "${run_two}" "add_test(meet sh \"${SCRATCH}/meet.sh\")"
  "set_tests_properties(meet PROPERTIES DEPENDS \"opgate.machine;${one}\")"
  "set_tests_properties(${two} opgate.complete PROPERTIES DEPENDS meet)")
file(REMOVE "${history}")
execute_process(COMMAND sh -c "'${CMAKE_CTEST_COMMAND}' --test-dir '${build}' -V > '${SCRATCH}/first.txt' 2>&1 & first=$!
'${CMAKE_CTEST_COMMAND}' --test-dir '${build}' -V > '${SCRATCH}/second.txt' 2>&1; second=$?
wait $first && exit $second" RESULT_VARIABLE result)
foreach(which IN ITEMS first second)
  file(READ "${SCRATCH}/${which}.txt" output)
  if(NOT result EQUAL 0 OR NOT output MATCHES "2 of 2 selected cases judged" OR output MATCHES "RECORDED TWICE|not selected")
    message(SEND_ERROR "of two ctest processes at once, the ${which} (${result}):\n${output}")
  endif()
endforeach()
expect(0 SAYS "\"closed_unix_ms\": ?[0-9].*\n.*\"closed_unix_ms\": ?[0-9]" RUN "${OPGATE}" runs --json)
file(GLOB left "${build}/opgate/runs/*")
if(left)
  message(SEND_ERROR "runs were left open: ${left}")
endif()

# Two nightlies at once, of two build trees with one history: two runs, each with each case once.
file(GLOB met "${SCRATCH}/met.*")
file(REMOVE ${met} "${history}")
set(other "${SCRATCH}/other")
file(COPY "${build}/CTestTestfile.cmake" DESTINATION "${other}")
file(READ "${build}/opgate/project.json" project)
string(REPLACE "\"build_dir\": \"${build}\"" "\"build_dir\": \"${other}\"" project "${project}")
file(WRITE "${other}/opgate/project.json" "${project}")
execute_process(COMMAND sh -c "OPGATE_PROJECT='${other}/opgate/project.json' '${CMAKE_CTEST_COMMAND}' --test-dir '${other}' -V > '${SCRATCH}/first.txt' 2>&1 & first=$!
'${CMAKE_CTEST_COMMAND}' --test-dir '${build}' -V > '${SCRATCH}/second.txt' 2>&1; second=$?
wait $first && exit $second" RESULT_VARIABLE result)
set(runs "")
foreach(which IN ITEMS first second)
  file(READ "${SCRATCH}/${which}.txt" output)
  if(NOT result EQUAL 0 OR NOT output MATCHES "2 of 2 selected cases judged" OR output MATCHES "RECORDED TWICE|not selected")
    message(SEND_ERROR "of two nightlies with one history, the ${which} (${result}):\n${output}")
  endif()
  string(REGEX MATCH "run ([0-9]+) opened" opened "${output}")
  list(APPEND runs "${CMAKE_MATCH_1}")
endforeach()
list(SORT runs)
if(NOT runs STREQUAL "1;2")
  message(SEND_ERROR "two nightlies with one history are not two runs: ${runs}")
endif()
foreach(run IN LISTS runs)
  expect(0 SAYS "\"case\": ?\"${one}\".*\n.*\"case\": ?\"${two}\"" RUN "${OPGATE}" judge --run ${run} --json)
endforeach()
