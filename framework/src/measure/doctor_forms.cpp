#include "measure/doctor_forms.hpp"

#include <cuda.h>
#include <cuda_runtime_api.h>

#include <algorithm>
#include <array>
#include <memory>

#include "measure/cuda_check.hpp"
#include "measure/doctor_kernels.hpp"

namespace opgate::measure {
namespace {

// Long beside what overlaps at the seam of two kernels, a microsecond; short enough for all forms within a second.
constexpr std::int64_t kTimeNs = 50'000;

BenchOptions quick() {
  BenchOptions options;
  options.flush = Flush::none;  // the kernel touches no memory
  options.iterations = 40;
  options.warmup_budget_ns = 1'000'000;
  return options;
}

void launch_many(int kernels, Stream stream) {
  for (int i = 0; i < kernels; ++i) launch_timed(kTimeNs, stream);
}

template <int kernels>
Callable plain() {
  return [](Stream stream) { launch_many(kernels, stream); };
}

void launch_with(const cudaLaunchAttribute& attribute, Stream stream) {
  std::int64_t time_ns = kTimeNs;
  std::array<void*, 1> arguments{&time_ns};
  cudaLaunchAttribute attributes = attribute;
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(kTimedBlocks, 1, 1);
  config.blockDim = dim3(kTimedThreads, 1, 1);
  config.stream = stream;
  config.attrs = &attributes;
  config.numAttrs = 1;
  check_cuda(cudaLaunchKernelExC(&config, timed_kernel(), arguments.data()), "cudaLaunchKernelExC");
}

Callable cluster() {
  cudaLaunchAttribute attribute{};
  attribute.id = cudaLaunchAttributeClusterDimension;
  attribute.val.clusterDim.x = kTimedBlocks;
  attribute.val.clusterDim.y = 1;
  attribute.val.clusterDim.z = 1;
  return [attribute](Stream stream) { launch_with(attribute, stream); };
}

// The second may start when the blocks of the first are done.
Callable programmatic() {
  cudaLaunchAttribute attribute{};
  attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  attribute.val.programmaticStreamSerializationAllowed = 1;
  return [attribute](Stream stream) {
    launch_timed(kTimeNs, stream);
    launch_with(attribute, stream);
  };
}

Callable cooperative() {
  return [](Stream stream) {
    std::int64_t time_ns = kTimeNs;
    std::array<void*, 1> arguments{&time_ns};
    check_cuda(cudaLaunchCooperativeKernel(timed_kernel(), dim3(kTimedBlocks, 1, 1), dim3(kTimedThreads, 1, 1),
                                           arguments.data(), 0, stream),
               "cudaLaunchCooperativeKernel");
  };
}

// Looked up, so that the executable starts where no driver is installed.
Callable driver() {
  using LaunchKernelEx = CUresult (*)(const CUlaunchConfig*, CUfunction, void**, void**);
  constexpr unsigned kSince = 11080;  // cuLaunchKernelEx came with CUDA 11.8
  void* found = nullptr;
  cudaDriverEntryPointQueryResult result = cudaDriverEntryPointSymbolNotFound;
  check_cuda(cudaGetDriverEntryPointByVersion("cuLaunchKernelEx", &found, kSince, cudaEnableDefault, &result),
             "cudaGetDriverEntryPointByVersion");
  if (result != cudaDriverEntryPointSuccess || found == nullptr) {
    throw Error(ErrorKind::cuda, "the driver has no cuLaunchKernelEx", "form.driver", "update the NVIDIA driver");
  }
  cudaFunction_t function = nullptr;
  check_cuda(cudaGetFuncBySymbol(&function, timed_kernel()), "cudaGetFuncBySymbol");
  return [launch = reinterpret_cast<LaunchKernelEx>(found), function](Stream stream) {
    std::int64_t time_ns = kTimeNs;
    std::array<void*, 1> arguments{&time_ns};
    CUlaunchConfig config{};
    config.gridDimX = kTimedBlocks;
    config.gridDimY = config.gridDimZ = 1;
    config.blockDimX = kTimedThreads;
    config.blockDimY = config.blockDimZ = 1;
    config.hStream = stream;
    if (launch(&config, function, arguments.data(), nullptr) != CUDA_SUCCESS) {
      throw Error(ErrorKind::cuda, "cuLaunchKernelEx failed", "form.driver");
    }
  };
}

// Instantiated after tracing is on, as CUPTI needs it.
Callable graph() {
  constexpr int kKernels = 3;
  cudaStream_t capture = nullptr;
  cudaGraph_t captured = nullptr;
  cudaGraphExec_t executable = nullptr;
  check_cuda(cudaStreamCreate(&capture), "cudaStreamCreate");
  check_cuda(cudaStreamBeginCapture(capture, cudaStreamCaptureModeThreadLocal), "cudaStreamBeginCapture");
  launch_many(kKernels, capture);
  check_cuda(cudaStreamEndCapture(capture, &captured), "cudaStreamEndCapture");
  check_cuda(cudaGraphInstantiate(&executable, captured, 0), "cudaGraphInstantiate");
  check_cuda(cudaGraphDestroy(captured), "cudaGraphDestroy");
  check_cuda(cudaStreamDestroy(capture), "cudaStreamDestroy");
  const std::shared_ptr<CUgraphExec_st> owner(executable, [](cudaGraphExec_t one) { cudaGraphExecDestroy(one); });
  return [owner](Stream stream) { check_cuda(cudaGraphLaunch(owner.get(), stream), "cudaGraphLaunch"); };
}

// One kernel here, the next on a stream of its own, and back: the union is that of two kernels in one stream.
class TwoStreams {
 public:
  TwoStreams() {
    check_cuda(cudaStreamCreateWithFlags(&side_, cudaStreamNonBlocking), "cudaStreamCreateWithFlags");
    check_cuda(cudaEventCreateWithFlags(&fork_, cudaEventDisableTiming), "cudaEventCreateWithFlags");
    check_cuda(cudaEventCreateWithFlags(&join_, cudaEventDisableTiming), "cudaEventCreateWithFlags");
  }
  TwoStreams(const TwoStreams&) = delete;
  TwoStreams& operator=(const TwoStreams&) = delete;
  ~TwoStreams() {
    cudaEventDestroy(join_);
    cudaEventDestroy(fork_);
    cudaStreamDestroy(side_);
  }
  void run(Stream stream) {
    launch_timed(kTimeNs, stream);
    check_cuda(cudaEventRecord(fork_, stream), "cudaEventRecord");
    check_cuda(cudaStreamWaitEvent(side_, fork_, 0), "cudaStreamWaitEvent");
    launch_timed(kTimeNs, side_);
    check_cuda(cudaEventRecord(join_, side_), "cudaEventRecord");
    check_cuda(cudaStreamWaitEvent(stream, join_, 0), "cudaStreamWaitEvent");
  }

 private:
  cudaStream_t side_ = nullptr;
  cudaEvent_t fork_ = nullptr;
  cudaEvent_t join_ = nullptr;
};

Callable two_streams() {
  return [streams = std::make_shared<TwoStreams>()](Stream stream) { streams->run(stream); };
}

// Ordered after the flush and before the next drain like every blocking stream.
Callable per_thread_stream() {
  return [](Stream) { launch_timed(kTimeNs, cudaStreamPerThread); };
}

}  // namespace

const std::vector<LaunchForm>& launch_forms() {
  static const std::vector<LaunchForm> forms{{"plain", 1, plain<1>},
                                             {"cluster", 1, cluster},
                                             {"cooperative", 1, cooperative},
                                             {"driver", 1, driver},
                                             {"graph", 3, graph},
                                             {"two_streams", 2, two_streams},
                                             {"programmatic", 2, programmatic},
                                             {"per_thread_stream", 1, per_thread_stream}};
  return forms;
}

double read_plain_ns(int kernels) {
  return bench([kernels](Stream stream) { launch_many(kernels, stream); }, quick()).median_busy_ns();
}

core::FormReading read_form(const LaunchForm& form, double plain_ns) {
  const Measurement measured = bench(form.make(), quick());
  core::FormReading reading{form.name, form.kernels, measured.samples.front().n_kernels, measured.median_busy_ns(),
                            plain_ns};
  const bool varies = std::any_of(measured.begin(), measured.end(),
                                  [&](const Sample& sample) { return sample.n_kernels != reading.seen; });
  if (varies) reading.seen.reset();
  return reading;
}

}  // namespace opgate::measure
