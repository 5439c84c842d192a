#include "measure/four_methods.hpp"

#include <cuda_runtime_api.h>

#include <functional>
#include <memory>
#include <vector>

#include "core/statistics.hpp"
#include "measure/cuda_check.hpp"
#include "measure/cuda_stage.hpp"
#include "measure/device_ops.hpp"
#include "measure/probe_kernels.hpp"
#include "opgate/bench.hpp"

namespace opgate::measure {
namespace {

constexpr std::int64_t kFloats = 262'144;
constexpr int kCallsPerLoop = 200;
constexpr int kCallsPerGraph = 100;
constexpr int kRepeats = 11;

class Graph {
 public:
  explicit Graph(const std::function<void(Stream)>& body) {
    cudaStream_t capture = nullptr;
    cudaGraph_t graph = nullptr;
    check_cuda(cudaStreamCreate(&capture), "cudaStreamCreate");
    check_cuda(cudaStreamBeginCapture(capture, cudaStreamCaptureModeThreadLocal), "cudaStreamBeginCapture");
    body(capture);
    check_cuda(cudaStreamEndCapture(capture, &graph), "cudaStreamEndCapture");
    check_cuda(cudaGraphInstantiate(&executable_, graph, 0), "cudaGraphInstantiate");
    check_cuda(cudaGraphDestroy(graph), "cudaGraphDestroy");
    check_cuda(cudaStreamDestroy(capture), "cudaStreamDestroy");
  }
  Graph(const Graph&) = delete;
  Graph& operator=(const Graph&) = delete;
  ~Graph() { cudaGraphExecDestroy(executable_); }
  void launch(Stream stream) const { check_cuda(cudaGraphLaunch(executable_, stream), "cudaGraphLaunch"); }

 private:
  cudaGraphExec_t executable_ = nullptr;
};

// Median over repeats of the time of `body` between one pair of events, per call that it holds.
double timed_per_call(Stage& stage, int bodies, int calls_per_body, const std::function<void()>& body) {
  std::vector<double> times_ns;
  for (int i = 0; i <= kRepeats; ++i) {
    const double time_ns = stage.time_calls_ns(bodies, body) / calls_per_body;
    if (i > 0) {  // the first one warms up
      times_ns.push_back(time_ns);
    }
  }
  return core::median(std::move(times_ns));
}

}  // namespace

FourMethods compare_four_methods() {
  const DeviceArray array(kFloats * sizeof(float));
  auto* const y = static_cast<float*>(array.data());
  check_cuda(cudaMemset(y, 0, array.bytes()), "cudaMemset");
  const Callable call = [y](Stream stream) { launch_elementwise(y, kFloats, stream); };

  // Events and graphs first: tracing would slow every launch they time.
  FourMethods methods;
  BenchOptions options;
  options.protocol = Protocol::method_1;
  options.timing = Timing::cuda_events;
  methods.event_pair_ns = bench(call, options).median_busy_ns();
  const std::unique_ptr<Stage> stage = make_cuda_stage();
  methods.event_loop_ns = timed_per_call(*stage, kCallsPerLoop, 1, [&] { call(stage->stream()); });
  const Graph graph([&](Stream stream) {
    for (int i = 0; i < kCallsPerGraph; ++i) {
      call(stream);
    }
  });
  methods.graph_replay_ns = timed_per_call(*stage, 1, kCallsPerGraph, [&] { graph.launch(stage->stream()); });

  options.timing = Timing::cupti;
  methods.cupti_memset_flush_ns = bench(call, options).median_busy_ns();
  methods.cupti_read_flush_ns = bench(call).median_busy_ns();
  return methods;
}

}  // namespace opgate::measure
