# What the scripts for a GPU machine are called with wrongly is told at once, before anything is built, measured or made.
include("${CMAKE_CURRENT_LIST_DIR}/end_to_end.cmake")

file(REMOVE_RECURSE "${SCRATCH}")
file(MAKE_DIRECTORY "${SCRATCH}")
set(out "${SCRATCH}/out")
set(ci "${ROOT}/ci")

foreach(script IN ITEMS gpu-round gpu-sanitize gpu-slowdowns gpu-figures)
  expect(64 SAYS "ci/${script} " "Exit: 0 when" RUN "${ci}/${script}" --nonsense)
endforeach()
expect(64 SAYS "there is no step 'nigthly'" "fix: " RUN "${ci}/gpu-round" "${out}" build nigthly)
expect(64 SAYS "baseline: 'nightly' is no number of runs" "fix: " RUN "${ci}/gpu-round" "${out}" build baseline nightly)
expect(64 SAYS "baseline: '' is no number of runs" "fix: " RUN "${ci}/gpu-round" "${out}" build baseline)
expect(64 SAYS "slow: 'gem' has no slow build" "fix: " RUN "${ci}/gpu-round" "${out}" build slow gem)
if(EXISTS "${out}")
  message(SEND_ERROR "a round that could not be right made its folder")
endif()

# A case that cannot be checked is never clean, and why is read without opening a file. A sanitizer of ours: it runs what it is given.
file(WRITE "${SCRATCH}/bin/compute-sanitizer" "#!/bin/sh\nshift 4\n\"$@\"\ncode=$?\necho '========= ERROR SUMMARY: 0 errors'\nexit $code\n")
file(WRITE "${SCRATCH}/build/bin/op_add" "#!/bin/sh\necho \"$1: cannot run: no NVIDIA GPU, wanted: $OPGATE_REQUIRE_GPU\"\nexit 3\n")
file(WRITE "${SCRATCH}/build/CTestTestfile.cmake" "add_test(add.small.f32 true)\nset_tests_properties(add.small.f32 PROPERTIES LABELS smoke)\n")
file(CHMOD "${SCRATCH}/bin/compute-sanitizer" "${SCRATCH}/build/bin/op_add" PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE)
set(path "PATH=${SCRATCH}/bin:$ENV{PATH}")
expect(3 SAYS "failed memcheck add.small.f32" "add.small.f32: cannot run: no NVIDIA GPU, wanted: 1" "0 of 1 runs clean"
  ENV "${path}" RUN "${ci}/gpu-sanitize" "${out}" "${SCRATCH}/build" smoke memcheck)
expect(3 SAYS "no case of ${SCRATCH}/build has the label smoky" ENV "${path}" RUN "${ci}/gpu-sanitize" "${out}" "${SCRATCH}/build" smoky)
