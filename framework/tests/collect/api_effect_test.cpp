#include "collect/api_effect.hpp"

#include <boost/test/unit_test.hpp>
#include <string_view>

using opgate::collect::ApiEffect;
using opgate::collect::effect_of;

namespace {

void check(ApiEffect effect, std::initializer_list<std::string_view> names) {
  for (const std::string_view name : names) {
    BOOST_TEST((effect_of(name) == effect), name);
  }
}

}  // namespace

BOOST_AUTO_TEST_SUITE(api_effect)

BOOST_AUTO_TEST_CASE(calls_that_may_wait_for_the_device) {
  check(ApiEffect::waits, {"cudaStreamSynchronize_v3020",
                           "cudaStreamSynchronize_ptsz_v7000",
                           "cudaDeviceSynchronize_v3020",
                           "cudaEventSynchronize_v3020",
                           "cuCtxSynchronize",
                           "cuStreamSynchronize_ptsz",
                           "cudaFree_v3020",
                           "cudaFreeHost_v3020",
                           "cudaFreeArray_v3020",
                           "cuMemFree_v2",
                           "cuMemFreeHost",
                           "cudaMalloc_v3020",
                           "cudaMallocManaged_v6000",
                           "cuMemAlloc_v2",
                           "cuMemHostAlloc",
                           "cudaHostAlloc_v3020",
                           "cudaHostRegister_v4000",
                           "cudaHostUnregister_v4000",
                           "cuMemUnmap",
                           "cuMemPoolTrimTo",
                           "cudaDeviceSetLimit_v3020",
                           "cuModuleUnload"});
}

BOOST_AUTO_TEST_CASE(calls_that_give_the_device_work) {
  check(ApiEffect::works,
        {"cudaLaunchKernel_v7000", "cudaLaunchKernelExC_v11060", "__cudaLaunchKernel_v13000", "cuLaunchKernel",
         "cuLaunchKernelEx_ptsz", "cudaLaunchCooperativeKernel_v9000", "cudaGraphLaunch_v10000", "cuGraphLaunch",
         "cudaLaunchHostFunc_v10000", "cudaMemcpyAsync_v3020", "cuMemcpyDtoHAsync_v2_ptsz", "cudaMemsetAsync_v3020",
         "cuMemsetD8Async", "cudaMemPrefetchAsync_v8000", "cudaMemcpyBatchAsync_v12080", "cuStreamBatchMemOp_v2"});
}

BOOST_AUTO_TEST_CASE(calls_that_do_both) {
  check(ApiEffect::copies, {"cudaMemcpy_v3020", "cudaMemcpy2D_v3020", "cudaMemcpyToSymbol_v3020", "cuMemcpyDtoH_v2",
                            "cudaMemset_v3020", "cuMemsetD32_v2"});
}

BOOST_AUTO_TEST_CASE(calls_that_do_neither) {
  check(ApiEffect::none,
        {"cudaMallocAsync_v11020", "cudaFreeAsync_v11020", "cuMemAllocFromPoolAsync_ptsz", "cuMemFreeAsync",
         "cudaEventRecord_v3020", "cudaStreamWaitEvent_v3020", "cudaGetDevice_v3020", "cudaStreamQuery_v3020",
         "cudaGraphAddMemcpyNode_v10000", "cudaGraphExecMemcpyNodeSetParams_v10020", "cuGraphMemsetNodeGetParams",
         "cudaGraphInstantiate_v10000", "cudaStreamEndCapture_v10000", ""});
}

BOOST_AUTO_TEST_CASE(a_capture_begins) {
  check(ApiEffect::captures,
        {"cudaStreamBeginCapture_v10000", "cuStreamBeginCapture_v2_ptsz", "cudaStreamBeginCaptureToGraph_v12030"});
}

BOOST_AUTO_TEST_SUITE_END()
