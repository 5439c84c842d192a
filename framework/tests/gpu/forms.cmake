# Every way to launch work: attributed, with the kernels it launches and the busy time of the same kernels launched by <<<>>>.
opgate_add_gpu_test(plain CASE plain CODE 0 OUTPUT "${number}")
opgate_add_gpu_test(method_1 CASE plain CODE 0 ARGUMENTS --protocol method-1 OUTPUT "${number}" "memset")
opgate_add_gpu_test(events CASE plain CODE 0 ARGUMENTS --timing cuda-events OUTPUT "cuda-events" ABSENT "name=\"n_kernels\"")
opgate_add_gpu_test(check CASE plain CODE 0 ARGUMENTS --check OUTPUT "agrees with its reference")
opgate_add_gpu_test(profile CASE plain CODE 0 ARGUMENTS --profile OUTPUT "ran once")
opgate_add_gpu_test(three_kernels CASE three-kernels CODE 0 OUTPUT "${number}" "3 kernels a call" "scale")
opgate_add_gpu_test(two_streams CASE two-streams CODE 0 OUTPUT "${number}" "2 kernels a call" "scale")
opgate_add_gpu_test(alternating CASE alternating CODE 0 OUTPUT "${number}")

opgate_add_form_test(cluster FORM cluster-launch PLAIN clustered KERNELS 1)
opgate_add_form_test(cooperative FORM cooperative-launch PLAIN strided KERNELS 1)
opgate_add_form_test(driver FORM driver-launch PLAIN plain-large KERNELS 1)
opgate_add_form_test(graph FORM graph PLAIN three-kernels KERNELS 3)
opgate_add_form_test(graph_copies OP selftest_counted FORM graph-copies PLAIN with-copies KERNELS 1)
opgate_add_form_test(streams FORM many-streams PLAIN four-kernels KERNELS 4)
opgate_add_form_test(programmatic FORM programmatic-launch PLAIN two-kernels KERNELS 2)
opgate_add_form_test(async_allocation FORM async-allocation PLAIN plain-large KERNELS 1)
opgate_add_form_test(per_thread_stream FORM per-thread-stream PLAIN plain-large KERNELS 1)
opgate_add_form_test(non_blocking FORM non-blocking PLAIN plain-large KERNELS 1)
opgate_add_form_test(eight_threads FORM eight-threads PLAIN eight-kernels KERNELS 8)
# A library's kernels cannot be launched by <<<>>>: its call is compared with itself, captured.
opgate_add_form_test(cublas FORM cublas-graph PLAIN cublas)
if(CUDNN_LIBRARY AND CUDNN_INCLUDE_DIR)
  opgate_add_gpu_test(form.cudnn CASE cudnn CODE 0 OUTPUT "${number}" "1 kernel a call")
else()
  add_test(NAME gpu.form.cudnn COMMAND "${CMAKE_COMMAND}" -E echo "opgate test skipped: cuDNN was not found when this was built")
  set_tests_properties(gpu.form.cudnn PROPERTIES LABELS gpu SKIP_REGULAR_EXPRESSION "opgate test skipped")
endif()
# What a kernel launches is counted, or refused as hidden work; one kernel with the parent's time alone would be wrong.
opgate_add_gpu_test(form.device_launch EXECUTABLE op_selftest_device OP selftest_device CASE child-kernel
  EITHER "2:work that no record tells of" "0:2 kernels a call")

# What a call does decides whether it can be held until all of it is issued; the method row says which it was.
function(opgate_add_held_test name launch case)
  opgate_add_gpu_test(held.${name} CASE ${case} CODE 0 OUTPUT "${number}" "launch ${launch}" ${ARGN})
endfunction()
opgate_add_held_test(plain queued plain)
opgate_add_held_test(non_blocking queued non-blocking)
opgate_add_held_test(late_kernel queued late-kernel "late_kernel")
opgate_add_held_test(synchronises direct synchronises "2 kernels a call"
  "waits for the device inside the call, in cudaStreamSynchronize")
opgate_add_held_test(frees direct frees "1 kernel a call" "waits for the device inside the call, in cudaFree")
opgate_add_held_test(frees_large direct frees-large "1 kernel a call" "waits for the device inside the call, in cudaFree")
opgate_add_held_test(frees_on_request direct frees-large "1 kernel a call" ARGUMENTS --launch direct)
opgate_add_held_test(many_launches direct many-launches "1500 kernels a call" "launches 1500 kernels")
opgate_add_held_test(launch_blocking direct plain "CUDA_LAUNCH_BLOCKING is set" ENVIRONMENT CUDA_LAUNCH_BLOCKING=1)
# The host is late for its own work there, and never excuses hidden work with it; without a subscription that is not known.
opgate_add_gpu_test(held.child_synchronises EXECUTABLE op_selftest_device OP selftest_device CASE child-synchronises
  EITHER "2:work that no record tells of" "0:2 kernels a call")
opgate_add_gpu_test(held.child_frees EXECUTABLE op_selftest_device OP selftest_device CASE child-frees
  EITHER "2:work that no record tells of" "0:2 kernels a call")
opgate_add_gpu_test(held.own_subscriber CASE subscribes CODE 2 OUTPUT "work that no record tells of" ABSENT "${number}")
# Joined to nothing, it is measured beside nothing else, or seen to outlive its call.
opgate_add_gpu_test(held.unordered CASE unordered EITHER "0:launch direct .*runs in a stream that is not ordered after" "2:not joined to the call's")
