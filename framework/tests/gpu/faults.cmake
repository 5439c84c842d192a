# Every fault fails closed, with a message of its own.
opgate_add_gpu_test(off_thread CASE off-thread CODE 2 OUTPUT "scale" "thread" "opgate::LabelScope" ABSENT "${number}")
opgate_add_gpu_test(old_label CASE old-label CODE 2 OUTPUT "a call that had ended" "current_label" ABSENT "${number}")
opgate_add_gpu_test(open_scope CASE open-scope CODE 2 OUTPUT "LabelScope of it was open on thread" ABSENT "${number}")
opgate_add_gpu_test(launches_nothing CASE launches-nothing CODE 2 OUTPUT "launched nothing" ABSENT "${number}")
opgate_add_gpu_test(host_only CASE host-only CODE 2 OUTPUT "launched nothing" ABSENT "${number}")
opgate_add_gpu_test(copies CASE copies CODE 2 OUTPUT "524288" "[Mm]emcpy" ABSENT "${number}")
opgate_add_gpu_test(records_lost CASE records-lost CODE 2 ARGUMENTS --buffer-bytes 8 OUTPUT "lost|dropped|discarded" ABSENT "${number}")
opgate_add_gpu_test(recovered_loss CASE recovered-loss CODE 0 ARGUMENTS --buffer-bytes 64 --iterations 20 OUTPUT "${number}" "[12] retr")
opgate_add_gpu_test(still_running CASE still-running CODE 2 OUTPUT "spin_kernel" "not joined to the call's" ABSENT "${number}")
# A million records in a phase, or an error that says what was lost.
opgate_add_gpu_test(million_launches CASE million-launches ARGUMENTS --iterations 200
  EITHER "0:5000 kernels a call" "2:CUPTI dropped|without usable timestamps")

# Ops that use CUPTI themselves.
opgate_add_gpu_test(own_ids CASE own-ids CODE 0 OUTPUT "${number}" "1 kernel a call")
opgate_add_gpu_test(pushes_id CASE pushes-id CODE 2 OUTPUT "CUSTOM2" "without popping" ABSENT "${number}")
opgate_add_gpu_test(pops_id CASE pops-id CODE 2 OUTPUT "popped the CUSTOM2 stack once too often" ABSENT "${number}")
opgate_add_gpu_test(disables_kernels CASE disables-kernels CODE 2 OUTPUT "CONCURRENT_KERNEL" "no longer" ABSENT "${number}")
opgate_add_gpu_test(disables_runtime CASE disables-runtime CODE 2 OUTPUT "RUNTIME" "no longer" ABSENT "${number}")
opgate_add_gpu_test(disables_copies CASE disables-copies CODE 2 OUTPUT "MEMCPY" "no longer" ABSENT "${number}")
opgate_add_gpu_test(own_callbacks CASE own-callbacks CODE 2 OUTPUT "callbacks" "fix: " ABSENT "${number}")
opgate_add_gpu_test(earlier_session CASE plain CODE 0 ENVIRONMENT OPGATE_SELFTEST_EARLIER_SESSION=1 OUTPUT "${number}" "1 kernel a call")
# CUDA 13.0 gives graph launches of a later session wrong correlation ids; a newer one may be right.
opgate_add_gpu_test(earlier_session_graph CASE graph ENVIRONMENT OPGATE_SELFTEST_EARLIER_SESSION=1
  EITHER "0:3 kernels a call" "2:graph")

# Tools that take CUPTI or the driver for themselves.
opgate_add_gpu_test(under_ncu CASE plain TOOL ncu OUTPUT "fix: [^\n]*--profile" ABSENT "${number}")
opgate_add_gpu_test(under_nsys CASE plain TOOL nsys profile --output=opgate-selftest --force-overwrite=true
  OUTPUT "fix: [^\n]*--profile" ABSENT "${number}")
opgate_add_gpu_test(under_sanitizer CASE plain TOOL compute-sanitizer --target-processes=all OUTPUT "fix: [^\n]*--check" ABSENT "${number}")

# The op's own faults.
opgate_add_gpu_test(throws CASE throws CODE 3 OUTPUT "the op is tired" "calibrate" ABSENT "${number}")
opgate_add_gpu_test(crashes CASE crashes CODE 3 OUTPUT "signal 6" "calibrate" ABSENT "${number}")
opgate_add_gpu_test(killed CASE killed CODE 3 OUTPUT "signal 9" "calibrate" ABSENT "${number}")
opgate_add_gpu_test(exits CASE exits CODE 3 OUTPUT "exited with status 0" ABSENT "${number}")
opgate_add_gpu_test(forks CASE forks CODE 3 OUTPUT "forked" "calibrate" ABSENT "${number}")
opgate_add_gpu_test(fork_returns CASE fork-returns CODE 3 OUTPUT "forked" ABSENT "${number}")
opgate_add_gpu_test(hangs CASE hangs CODE 3 OUTPUT "hung" "calibrate" ABSENT "${number}")
opgate_add_gpu_test(sticky_error CASE sticky-error CODE 3 OUTPUT "cudaError" ABSENT "${number}")
opgate_add_gpu_test(out_of_memory CASE out-of-memory CODE 3 OUTPUT "[Mm]emory" ABSENT "${number}")
opgate_add_gpu_test(wrong_output CASE wrong-output CODE 5 OUTPUT "\"y\"" "131072" ABSENT "${number}")
opgate_add_gpu_test(changes_input CASE changes-input CODE 5 OUTPUT "\"x\"" ABSENT "${number}")
opgate_add_gpu_test(cached_answer CASE cached-answer CODE 5 OUTPUT "recheck")
opgate_add_gpu_test(unknown_case CASE nothing-like-it CODE 3 OUTPUT "fix:")

# Somebody else on the same GPU is in the row.
opgate_register_gpu_test(second_process neighbour.cmake DEFINITIONS -DCASE=selftest.plain.f32)
