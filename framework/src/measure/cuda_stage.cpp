#include "measure/cuda_stage.hpp"

#include <cuda_runtime_api.h>

#include <cmath>
#include <cstddef>

#include "collect/cuda_devices.hpp"
#include "measure/cuda_check.hpp"
#include "measure/device_ops.hpp"

namespace opgate::measure {
namespace {

constexpr double kNanosecondsPerMillisecond = 1e6;

class Event {
 public:
  Event() { check_cuda(cudaEventCreate(&event_), "cudaEventCreate"); }
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;
  ~Event() { cudaEventDestroy(event_); }
  void record(Stream stream) { check_cuda(cudaEventRecord(event_, stream), "cudaEventRecord"); }
  [[nodiscard]] double since_ns(const Event& start) const {
    check_cuda(cudaEventSynchronize(event_), "cudaEventSynchronize");
    float elapsed_ms = 0;
    check_cuda(cudaEventElapsedTime(&elapsed_ms, start.event_, event_), "cudaEventElapsedTime");
    return static_cast<double>(elapsed_ms) * kNanosecondsPerMillisecond;
  }

 private:
  cudaEvent_t event_ = nullptr;
};

class CudaStage final : public Stage {
 public:
  CudaStage() { check_cuda(cudaStreamCreate(&stream_), "cudaStreamCreate"); }
  CudaStage(const CudaStage&) = delete;
  CudaStage& operator=(const CudaStage&) = delete;
  ~CudaStage() override { cudaStreamDestroy(stream_); }

  [[nodiscard]] Stream stream() const override { return stream_; }

  void flush_l2(Flush kind) override {
    if (kind == Flush::read) {
      // Lines that an op marked persisting survive a read flush.
      check_cuda(cudaCtxResetPersistingL2Cache(), "cudaCtxResetPersistingL2Cache");
      flush_.read(stream_);
    } else if (kind == Flush::memset) {
      flush_.memset(stream_);
    }
  }

  void drain() override { collect::drain_devices(); }

  double time_calls_ns(int calls, const std::function<void()>& body) override {
    start_.record(stream_);
    for (int i = 0; i < calls; ++i) {
      body();
    }
    stop_.record(stream_);
    return stop_.since_ns(start_) / calls;
  }

  std::int64_t time_one_ns(const std::function<void()>& body) override {
    start_.record(stream_);
    body();
    stop_.record(stream_);
    return std::llround(stop_.since_ns(start_));
  }

 private:
  cudaStream_t stream_ = nullptr;
  Event start_;
  Event stop_;
  FlushBuffer flush_;
};

}  // namespace

std::unique_ptr<Stage> make_cuda_stage() {
  return std::make_unique<CudaStage>();
}

}  // namespace opgate::measure
