# CTest's TIMEOUT ends a case before its supervisor does: nothing of it lives on, the history says what happened, and the
# next run works. Besides OPGATE and the rest: FAKE_CASE, whose workers play a plan, and FAKE_NVML.
include("${CMAKE_CURRENT_LIST_DIR}/end_to_end.cmake")

set(stuck fake.stuck-in-ctest-timeout.f32)
set(good fake.good.f32)
start_project(fake "${SCRATCH}/fake.json")
file(WRITE "${SCRATCH}/fake.json" "{\"op\": \"fake\", \"doc\": \"y = x\", \"inputs\": {\"x\": \"dtype[n]\"},
  \"outputs\": {\"y\": \"dtype[n]\"}, \"dtypes\": [\"f32\"], \"labels\": [\"nightly\"], \"timeout_s\": 60,
  \"workloads\": [
{\"name\": \"good\", \"n\": 1},
{\"name\": \"stuck-in-ctest-timeout\", \"n\": 1}
]}")
set(plan "{\"busy_ns\": 100000}")
set(hangs "{\"busy_ns\": 100000, \"behaviour\": \"hang\"}")

set(environment "OPGATE_PROJECT=${build}/opgate/project.json" "OPGATE_NVML_LIBRARY=${FAKE_NVML}" FAKE_NVML_DEVICES=1)
set(text "add_test(opgate.machine \"${OPGATE}\" fixture open)\nadd_test(opgate.complete \"${OPGATE}\" fixture close)
set_tests_properties(opgate.machine PROPERTIES FIXTURES_SETUP opgate_run)
set_tests_properties(opgate.complete PROPERTIES FIXTURES_CLEANUP opgate_run)
set_tests_properties(opgate.machine opgate.complete PROPERTIES SKIP_RETURN_CODE 77 ENVIRONMENT \"${environment}\")\n")
foreach(case IN ITEMS ${good} ${stuck})
  string(APPEND text "add_test(${case} \"${FAKE_CASE}\" ${case})
set_tests_properties(${case} PROPERTIES TIMEOUT 4 SKIP_RETURN_CODE 77 FIXTURES_REQUIRED opgate_run ENVIRONMENT \"${environment}\")\n")
endforeach()
file(WRITE "${build}/CTestTestfile.cmake" "${text}")
set(ctest "${CMAKE_CTEST_COMMAND}" --test-dir "${build}" -V)

file(WRITE "${build}/plan.json" "{\"${good}\": ${plan}, \"${stuck}\": ${hangs}}")
expect(8 SAYS "${stuck} \\.+\\*\\*\\*Timeout" "${good} \\.+ +Passed" "NEVER FINISHED +${stuck}" "1 of 2 selected cases measured" RUN ${ctest})
# The worker had its supervisor's name and arguments.
execute_process(COMMAND sh -c "for i in $(seq 50); do ps -eo stat,args | grep -v '^Z' | grep -q '[f]ake.stuck-in-ctest-timeout.f32' || exit 0
  sleep 0.1\ndone\nexit 1" RESULT_VARIABLE alive)
if(NOT alive EQUAL 0)
  message(SEND_ERROR "a worker outlived CTest's TIMEOUT")
endif()
expect(3 SAYS "${stuck}" "opened and never closed: its process died" RUN "${OPGATE}" judge --run 1 --check)

file(WRITE "${build}/plan.json" "{\"${good}\": ${plan}, \"${stuck}\": ${plan}}")
expect(0 SAYS "${stuck} \\.+ +Passed" "2 of 2 selected cases measured" RUN ${ctest})
