# The jobs of ci/slurm over the recorded traces, without Slurm: what it would set, this sets. Three shards, and what the
# merge says of one that is lost, that did not end, that ran again, and that brought another one's run.
# Variables: ROOT, COMMAND, CASE_RUNNER, SCRATCH.
include("${CMAKE_CURRENT_LIST_DIR}/replayed_project.cmake")
configure_replay()
set(ENV{OPGATE_COMMAND} "${COMMAND}")
set(ENV{TMPDIR} "${SCRATCH}")
set(night "${SCRATCH}/night")
set(history "${SCRATCH}/all.sqlite")
set(jobs "${ROOT}/ci/slurm")

function(start_night shards label)
  file(REMOVE_RECURSE "${night}")
  file(MAKE_DIRECTORY "${night}")
  file(WRITE "${night}/shards" "${shards}\n")
  file(WRITE "${night}/label" "${label}\n")
  file(WRITE "${night}/history" "${history}\n")
  file(WRITE "${night}/build" "${build}\n")
endfunction()

# Runs a job; what it says goes into `said`.
function(expect_job what wanted)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE code OUTPUT_VARIABLE said ERROR_VARIABLE said)
  if(NOT code EQUAL wanted)
    message(SEND_ERROR "${what}: ${code}, wanted ${wanted}\n${said}")
  endif()
  set(said "${said}" PARENT_SCOPE)
endfunction()
macro(expect_shard shard wanted)
  expect_job("shard ${shard}" ${wanted} "${CMAKE_COMMAND}" -E env SLURM_ARRAY_TASK_ID=${shard} "${jobs}/nightly.sbatch" "${night}")
endmacro()
macro(expect_merge what wanted)
  expect_job("merge, ${what}" ${wanted} "${jobs}/merge" "${night}")
  if(EXISTS "${night}/code")
    file(STRINGS "${night}/code" told)
    expect_equal("the code of a merge, ${what}" "${told}" "${wanted}")
  endif()
endmacro()
function(expect_runs wanted)
  execute_process(COMMAND "${COMMAND}" --history "${history}" runs --json OUTPUT_VARIABLE lines)
  string(REGEX MATCHALL "\"uuid\"" runs "${lines}")
  list(LENGTH runs count)
  expect_equal("runs in the history" "${count}" "${wanted}")
endfunction()

list_tests(-L nightly)
list(REMOVE_ITEM names opgate.complete opgate.machine)
list(LENGTH names selected)
math(EXPR too_many "${selected} + 1")
start_night(${too_many} "^nightly$")
expect_job("more shards than cases" 3 "${jobs}/prepare" "${night}")
expect_match("more shards than cases" "${said}" "${selected} case.s. for ${too_many} shard")
expect_merge("nothing was built" 3)

# All shards report: the night is what one run of all cases would be.
start_night(3 "^nightly$")
expect_job("prepare" 0 "${jobs}/prepare" "${night}")
expect_match("prepare" "${said}" "${selected} cases in 3 shard")
foreach(shard IN ITEMS 1 2 3)
  expect_shard(${shard} 2)
endforeach()
expect_shard(4 3)
expect_match("shard 4" "${said}" "there is no shard 4 of 3")
expect_merge("all shards" 2)
expect_match("all shards" "${said}" "runs 1, 2 and 3 of .*\n${selected} cases, 17 replayed from recorded traces, NOT MEASURED: \
4 not-comparable, 3 pass, 1 regressed, [0-9]+ skipped, 9 untrusted\n")
expect_match("all shards" "${said}" "shard 3 of 3: run 3\n")
file(READ "${night}/report.md" report)
expect_match("report.md" "${report}" "^## opgate: .* of ${selected} expected cases, NOT MEASURED.*run 3 \\(with 1, 2: ")
file(READ "${night}/report.txt" before)
file(COPY_FILE "${history}" "${SCRATCH}/kept.sqlite")
if(NOT EXISTS "${SCRATCH}/all.timelines/selftest.off-thread.f32.json")
  message(SEND_ERROR "the timeline of a failed case was not merged")
endif()

# Again: nothing more, and the same said.
expect_merge("again" 2)
file(READ "${night}/report.txt" after)
expect_equal("the report of a second merge" "${after}" "${before}")
expect_runs(3)

# A shard that ran once more is judged by its last run, and the first one is kept.
expect_shard(2 2)
expect_merge("a shard ran again" 2)
expect_match("a shard ran again" "${said}" "runs 1, 3 and 4 of ")
expect_runs(4)

# A shard that was stopped: its results are merged, and the night is red.
file(REMOVE "${night}/shard-3.status")
expect_merge("a shard was stopped" 3)
expect_match("a shard was stopped" "${said}" "shard 3 of 3 did not end")
expect_runs(4)

# A lost shard: named, and each of its cases.
file(REMOVE "${night}/shard-3.sqlite" "${history}")
expect_merge("a shard is lost" 3)
expect_match("a shard is lost" "${said}" "shard 3 of 3 did not report")
expect_match("a shard is lost" "${said}" "${selected} cases, [0-9]+ replayed.*[0-9]+ missing")
file(READ "${night}/report.md" report)
expect_match("report.md" "${report}" "^> \\*\\*shard 3 of 3 did not report: .*\\*\\*not run\\*\\*")

# The same file under two shards' names is one shard.
file(COPY_FILE "${night}/shard-1.sqlite" "${night}/shard-3.sqlite")
file(COPY_FILE "${night}/shard-1.status" "${night}/shard-3.status")
expect_merge("one shard twice" 3)
expect_match("one shard twice" "${said}" "shard 3 of 3 brought run [0-9]+, as shard 1 did")
expect_match("one shard twice" "${said}" "[0-9]+ missing")

# Damaged in transfer.
file(WRITE "${night}/shard-3.sqlite" "not a history")
expect_merge("a damaged shard" 3)
expect_match("a damaged shard" "${said}" "shard 3 of 3 was not merged whole")

# Other content under a run's name: named, and what was there stays.
find_program(python NAMES python3)
if(python)
  file(COPY_FILE "${SCRATCH}/kept.sqlite" "${history}")
  execute_process(COMMAND "${python}" -c "import sqlite3, sys; c = sqlite3.connect(sys.argv[1]); c.executescript(\"DELETE FROM run_seals; UPDATE runs SET host = 'elsewhere'\"); c.commit()"
    "${night}/shard-1.sqlite" COMMAND_ERROR_IS_FATAL ANY)
  expect_merge("a conflict" 3)
  expect_match("a conflict" "${said}" "shard-1.sqlite: run 1 .* is run 1 here with other content: the run itself")
  expect_match("a conflict" "${said}" "shard 1 of 3 was not merged whole")
endif()

# Green, as far as the cases go: three cases of one dtype, of which none is red. A trace is what one process saw, so the
# baselines say that they are of one as well.
file(COPY "${ROOT}/baselines/" DESTINATION "${SCRATCH}/baselines")
file(READ "${SCRATCH}/baselines/nvidia-h200/add.json" accepted)
string(REGEX REPLACE "\"processes\": \"[0-9]+\"" "\"processes\": \"1\"" accepted "${accepted}")
file(WRITE "${SCRATCH}/baselines/nvidia-h200/add.json" "${accepted}")
set(ENV{OPGATE_BASELINES} "${SCRATCH}/baselines")
file(REMOVE "${history}")
start_night(2 "^f32$")
expect_job("prepare" 0 "${jobs}/prepare" "${night}")
expect_shard(1 0)
expect_shard(2 0)
expect_merge("green" 0)
file(WRITE "${night}/shard-2.status" "8\n")
expect_merge("ctest failed" 3)
expect_match("ctest failed" "${said}" "ctest failed in shard 2, but every recorded case is fine")

# A shard that is told to stop hands over what it has. The ctest in its place waits to be stopped.
file(WRITE "${SCRATCH}/bin/ctest" "#!/bin/sh\n\"${CMAKE_CTEST_COMMAND}\" \"$@\"\necho waiting >&2\nexec sleep 60\n")
file(CHMOD "${SCRATCH}/bin/ctest" PERMISSIONS OWNER_READ OWNER_EXECUTE)
execute_process(COMMAND sh -c "PATH='${SCRATCH}/bin':$PATH SLURM_ARRAY_TASK_ID=2 '${jobs}/nightly.sbatch' '${night}' > '${SCRATCH}/stopped.txt' 2>&1 & shard=$!
for i in $(seq 300); do grep -q waiting '${SCRATCH}/stopped.txt' && break; sleep 0.1; done
kill -TERM $shard; wait $shard" RESULT_VARIABLE code)
expect_equal("a stopped shard" "${code}" 143)
expect_merge("a shard was told to stop" 3)
expect_match("a shard was told to stop" "${said}" "shard 2 of 2: run 3.*shard 2 of 2 did not end")

# Where it cannot be handed over, it stays on the node, and nothing of it passes for a shard.
file(REMOVE "${night}/shard-1.sqlite" "${night}/shard-1.status")
file(MAKE_DIRECTORY "${night}/shard-1.sqlite.part")
expect_shard(1 3)
string(REGEX MATCH "it stays in ([^ ]*) on " told "${said}")
if(NOT told OR NOT EXISTS "${CMAKE_MATCH_1}/history.sqlite" OR EXISTS "${night}/shard-1.status")
  message(SEND_ERROR "a shard that cannot hand over: ${said}")
else()
  file(REMOVE_RECURSE "${CMAKE_MATCH_1}")
endif()
file(GLOB left "${SCRATCH}/opgate-*")
expect_equal("left behind" "${left}" "")
