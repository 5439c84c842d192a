# What users and machines get wrong: each a clear error with its exit code, and nothing lost or changed.
include("${CMAKE_CURRENT_LIST_DIR}/end_to_end.cmake")

set(case add.llama3-8b-decode-1.f32)
set(other add.llama3-8b-prefill.bf16)
set(spec "${SCRATCH}/add.json")
start_project(add "${spec}")
file(COPY "${DATA}/traces/${case}.trace.jsonl" DESTINATION "${traces}")
set(good_spec "{
  \"op\": \"add\", \"doc\": \"c = a + b\", \"inputs\": {\"a\": \"dtype[rows, cols]\", \"b\": \"dtype[rows, cols]\"},
  \"outputs\": {\"c\": \"dtype[rows, cols]\"}, \"dtypes\": [\"f32\", \"bf16\"], \"labels\": [\"nightly\"],
  \"workloads\": [
    {\"name\": \"llama3-8b-decode-1\", \"rows\": 1, \"cols\": 4096},
    {\"name\": \"llama3-8b-prefill\", \"rows\": 4096, \"cols\": 4096}
  ]
}
")
file(WRITE "${spec}" "${good_spec}")
expect(0 SAYS "NOT MEASURED" ENV ${replay} RUN "${OPGATE_CASE}" ${case})
file(COPY_FILE "${history}" "${SCRATCH}/good.sqlite")

# Usage.
expect(64 SAYS "CASE is required" "usage: opgate_case" "fix: see opgate_case --help" RUN "${OPGATE_CASE}")
expect(64 SAYS "\"opgate-9\" is none of method-1.opgate-1" "fix:" RUN "${OPGATE_CASE}" ${case} --protocol opgate-9)
expect(64 SAYS "0 not in range 1 to" "fix:" RUN "${OPGATE_CASE}" ${case} --iterations 0)
expect(64 SAYS "17 not in range 1 to 16" "fix:" RUN "${OPGATE_CASE}" ${case} --processes 17)
expect(64 SAYS "it excludes --processes" "fix:" RUN "${OPGATE_CASE}" ${case} --processes 2 --record t.jsonl)
expect(64 SAYS "-1 not in range 0 to 100" "fix:" RUN "${OPGATE_CASE}" ${case} --pacing=-1)
expect(64 SAYS "\"sideways\" is none of direct.queued" RUN "${OPGATE_CASE}" ${case} --launch sideways)
expect(64 SAYS "exclude each other" "fix:" RUN "${OPGATE_CASE}" ${case} --check --profile)
expect(64 SAYS "--record needs a measurement" RUN "${OPGATE_CASE}" ${case} --check --record "${SCRATCH}/t")
expect(64 SAYS "--record needs CUPTI" RUN "${OPGATE_CASE}" ${case} --timing cuda-events --record "${SCRATCH}/t")
expect(3 SAYS "none/t: cannot write: No such file or directory" "fix:" ENV ${replay}
  RUN "${OPGATE_CASE}" ${case} --record "${SCRATCH}/none/t")
expect(64 SAYS "--record: it is empty" RUN sh -c "'${OPGATE_CASE}' ${case} --record ''")
foreach(option IN ITEMS --history --baselines)
  expect(64 SAYS "${option}: it is empty" RUN sh -c "'${OPGATE_CASE}' ${case} ${option} ''")
  expect(64 SAYS "${option}: it is empty" RUN sh -c "'${OPGATE}' runs ${option} ''")
endforeach()
expect(64 SAYS "not expected: surplus" RUN "${OPGATE_CASE}" ${case} surplus)
expect(0 SAYS "--protocol method-1.opgate-1" "--launch direct.queued" "--pacing N" "--no-probe" "77  skipped" RUN "${OPGATE_CASE}" --help)
foreach(name IN ITEMS REQUIRE_GPU REQUIRE_BASELINE RESOURCE_GROUPS)
  expect(64 SAYS "OPGATE_${name}: unknown value \"yes\"" "fix: set it to 1 or 0" ENV OPGATE_${name}=yes RUN "${OPGATE_CASE}" ${case})
  expect(64 SAYS "OPGATE_${name}: unknown value" ENV OPGATE_${name}=yes RUN "${OPGATE}" fixture open)
endforeach()
expect(64 SAYS "OPGATE_INCONCLUSIVE: unknown" ENV OPGATE_INCONCLUSIVE=no RUN "${OPGATE_CASE}" ${case})
foreach(word IN ITEMS --check --profile)
  expect(64 SAYS "holds no op to check or to profile" "fix: unset OPGATE_REPLAY" ENV ${replay} RUN "${OPGATE_CASE}" ${case} ${word})
endforeach()
foreach(words IN ITEMS "--protocol method-1" "--iterations 5" "--flush none" "--launch direct" "--pacing 0" "--no-probe" "--timing cuda-events")
  string(REPLACE " " ";" list "${words}")
  expect(64 SAYS "nothing comes of ${words}" "fix: unset OPGATE_REPLAY" LACKS "device_busy_ms" ENV ${replay} RUN "${OPGATE_CASE}" ${case} ${list})
endforeach()

# A case, an op or a project that is not known.
expect(3 SAYS "add.json: there is no case" "fix: write ${case}" RUN "${OPGATE_CASE}" add.llama3-8b-decode1.f32)
expect(3 SAYS "no spec of op \"ad\"" "fix: write add.x.f32" RUN "${OPGATE_CASE}" ad.x.f32)
expect(3 SAYS "no spec of op \"rmsnorm\"" "fix: add it with opgate_add_op" RUN "${OPGATE_CASE}" rmsnorm.x.f32)
expect(3 SAYS "nowhere.json: the file that OPGATE_PROJECT names" "fix:" ENV OPGATE_PROJECT=${SCRATCH}/nowhere.json
  RUN "${OPGATE_CASE}" ${case})

# Specs.
macro(expect_spec_error what)
  file(WRITE "${spec}" "${ARGN}")
  expect(3 SAYS "add.json:${what}" "fix: " ENV ${replay} RUN "${OPGATE_CASE}" ${case})
  expect(3 SAYS "add.json:${what}" "fix: " RUN "${OPGATE}" validate)
endmacro()
expect_spec_error("[0-9]+: " "{\n  \"op\": \"add\",\n  \"doc\" \n}")
string(REPLACE "\"labels\":" "\"label\":" text "${good_spec}")
expect_spec_error("3: .*label" "${text}")
string(REPLACE "\"labels\":" "\"dtypes\": [\"f32\"], \"labels\":" text "${good_spec}")
expect_spec_error("3: .*dtypes" "${text}")
string(REPLACE "\"rows\": 1, " "" text "${good_spec}")
expect_spec_error("5: .*rows" "${text}")
file(REMOVE "${spec}")
expect(3 SAYS "add.json: .*No such file" "fix: " ENV ${replay} RUN "${OPGATE_CASE}" ${case})
file(WRITE "${spec}" "${good_spec}")

# Histories. What cannot be written or understood is left as it is, and nothing is measured into the void.
macro(expect_history_error path what)
  expect(3 SAYS "${what}" "fix: " LACKS "device_busy_ms" ENV ${replay} RUN "${OPGATE_CASE}" ${case} --history "${path}")
  expect(3 SAYS "${what}" "fix: " ENV ${replay} "OPGATE_HISTORY=${path}" RUN "${OPGATE_CASE}" ${case})
endmacro()
macro(expect_damaged_history path what)
  file(SHA256 "${path}" before)
  expect_history_error("${path}" "${what}")
  expect(3 SAYS "${what}" "fix: " RUN "${OPGATE}" runs --history "${path}")
  file(SHA256 "${path}" after)
  if(NOT before STREQUAL after)
    message(SEND_ERROR "${path} was changed")
  endif()
endmacro()
file(WRITE "${SCRATCH}/file" "a file\n")
expect_history_error("${SCRATCH}/file/history.sqlite" "file/history.sqlite: ")
expect_history_error("/proc/history.sqlite" "/proc/history.sqlite: ")
file(MAKE_DIRECTORY "${SCRATCH}/folder")
expect_history_error("${SCRATCH}/folder" "${SCRATCH}/folder: ")
file(WRITE "${SCRATCH}/text.sqlite" "This is a text that is long enough to be looked at as if it were a database, and is none.\n")
expect_damaged_history("${SCRATCH}/text.sqlite" "text.sqlite: ")
# The schema's version is the last byte of the header's field at offset 60: https://sqlite.org/fileformat2.html
file(COPY_FILE "${SCRATCH}/good.sqlite" "${SCRATCH}/newer.sqlite")
execute_process(COMMAND sh -c "printf '\\143' | dd of='${SCRATCH}/newer.sqlite' bs=1 seek=63 conv=notrunc"
  ERROR_QUIET COMMAND_ERROR_IS_FATAL ANY)
expect_damaged_history("${SCRATCH}/newer.sqlite" "newer.sqlite: .*99")
execute_process(COMMAND sh -c "head -c 5000 '${SCRATCH}/good.sqlite' > '${SCRATCH}/short.sqlite'" COMMAND_ERROR_IS_FATAL ANY)
expect_damaged_history("${SCRATCH}/short.sqlite" "short.sqlite: ")

# What nobody could read is no pass, though the result is stored.
if(EXISTS /dev/full)
  expect(3 SAYS "output could not be written" "fix: " ENV ${replay} RUN sh -c "'${OPGATE_CASE}' ${case} > /dev/full")
endif()

# A relative path in a folder that is gone, and a path that no system call takes.
expect(3 SAYS "cannot make absolute path" "fix: use paths" ENV ${replay}
  RUN sh -c "mkdir gone && cd gone && rmdir ../gone && '${OPGATE_CASE}' ${case} --history h.sqlite")
string(REPEAT x 5000 long)
expect(3 SAYS "name too long" "fix: use paths" RUN "${OPGATE}" validate --baselines "${long}")

# A baseline that cannot be read costs the verdict, never the measurement, which is judged once it can be.
set(baseline "${SCRATCH}/baselines/nvidia-h200/add.json")
file(WRITE "${baseline}" "{\n  \"device\": \n")
expect(3 SAYS "measured and stored, but not judged" "nvidia-h200/add.json:[0-9]+: " "fix: " ENV ${replay} RUN "${OPGATE_CASE}" ${case})
file(READ "${baseline}" text)
if(NOT text STREQUAL "{\n  \"device\": \n")
  message(SEND_ERROR "the malformed baseline was changed")
endif()
expect(3 SAYS "nvidia-h200/add.json:[0-9]+: " RUN "${OPGATE}" judge)
file(REMOVE "${baseline}")
expect(0 SAYS "no-baseline +${case} +0\\.0[0-9]+ ms" RUN "${OPGATE}" judge --run last)
expect(0 SAYS "\"exit_code\": ?3" "\"status\": ?\"measured\"" RUN "${OPGATE}" show ${case} --json)

# No GPU, and one that cannot be used.
file(MAKE_DIRECTORY "${SCRATCH}/bus/0000:1a:00.0")
file(WRITE "${SCRATCH}/bus/0000:1a:00.0/vendor" "0x10de\n")
file(WRITE "${SCRATCH}/bus/0000:1a:00.0/class" "0x030200\n")
set(dead_gpu "OPGATE_NVML_LIBRARY=${SCRATCH}/libnone.so" "OPGATE_PCI_DEVICES=${SCRATCH}/bus")
expect(77 SAYS "skipped: no NVIDIA GPU" ENV ${no_gpu} RUN "${OPGATE}" fixture open)
expect(3 SAYS "cannot run: no NVIDIA GPU" "fix: run it where CUDA finds" ENV ${no_gpu} OPGATE_REQUIRE_GPU=1 RUN "${OPGATE}" fixture open)
expect(3 SAYS "on the PCI bus, but the driver offers none" "fix: run .opgate doctor" ENV ${dead_gpu} RUN "${OPGATE}" fixture open)
expect(77 SAYS "${case}: skipped: built without CUDA" RUN "${OPGATE_CASE}" ${case})
expect(3 SAYS "${case}: cannot run: built without CUDA" "fix: install the CUDA toolkit" ENV OPGATE_REQUIRE_GPU=1 RUN "${OPGATE_CASE}" ${case})

# Traces.
expect(77 SAYS "${other}: skipped: no recorded trace in ${traces}" ENV ${replay} RUN "${OPGATE_CASE}" ${other})
expect(3 SAYS "none: this is no folder" "fix: " ENV OPGATE_REPLAY=${SCRATCH}/none RUN "${OPGATE_CASE}" ${case})
file(COPY_FILE "${traces}/${case}.trace.jsonl" "${traces}/${other}.trace.jsonl")
expect(3 SAYS "${other}.trace.jsonl: this trace was recorded from ${case}" "fix: " ENV ${replay} RUN "${OPGATE_CASE}" ${other})
file(STRINGS "${traces}/${case}.trace.jsonl" lines LIMIT_COUNT 4)
list(JOIN lines "\n" text)
file(WRITE "${traces}/${case}.trace.jsonl" "${text}\n")
expect(3 SAYS "${case}.trace.jsonl:[0-9]+: " "fix: " LACKS "device_busy_ms" ENV ${replay} RUN "${OPGATE_CASE}" ${case})
expect(3 SAYS "${case}.trace.jsonl:[0-9]+: " "fix: " RUN "${OPGATE}" replay "${traces}/${case}.trace.jsonl")
expect(3 SAYS "missing.jsonl: " "fix: " RUN "${OPGATE}" replay "${SCRATCH}/missing.jsonl")

# The same machines, told by an executable that has an op in it.
if(OP_EXECUTABLE)
  start_project(selftest "${OP_SPEC}")
  file(MAKE_DIRECTORY "${SCRATCH}/bus/0000:1a:00.0")
  file(WRITE "${SCRATCH}/bus/0000:1a:00.0/vendor" "0x10de\n")
  file(WRITE "${SCRATCH}/bus/0000:1a:00.0/class" "0x030200\n")
  expect(77 SAYS "selftest.plain.f32: skipped: no NVIDIA GPU" ENV ${no_gpu} RUN "${OP_EXECUTABLE}" selftest.plain.f32)
  expect(3 SAYS "cannot run: no NVIDIA GPU" "fix: run it where CUDA finds" ENV ${no_gpu} OPGATE_REQUIRE_GPU=1 RUN "${OP_EXECUTABLE}" selftest.plain.f32)
  expect(3 SAYS "on the PCI bus, but the driver offers none" "fix: " ENV ${dead_gpu} RUN "${OP_EXECUTABLE}" selftest.plain.f32)
  expect(3 SAYS "--resource-spec-file" ENV ${no_gpu} OPGATE_RESOURCE_GROUPS=1 RUN "${OP_EXECUTABLE}" selftest.plain.f32)
  if(EXISTS "${history}")
    message(SEND_ERROR "a case that could not run made a history")
  endif()
endif()
