#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>
#include <memory>
#include <string>

#include <opgate/cuda.cuh>
#include <opgate/op.hpp>

namespace selftest {

// One way to compute y = 2 x, named like its workload.
class Form {
 public:
  Form() = default;
  Form(const Form&) = delete;
  Form& operator=(const Form&) = delete;
  virtual ~Form() = default;
  virtual void set_up(const opgate::Call&) {}
  // checked: the check before the timing is over. Faults begin then, so that they meet the measuring.
  virtual void run(const opgate::Call& call, bool checked) = 0;
};

using MakeForm = std::unique_ptr<Form> (*)();
// Forms register themselves before main; nullptr: there is none of this name.
[[nodiscard]] std::unique_ptr<Form> make_form(const std::string& name);
struct Registered {
  Registered(const char* name, MakeForm make);
};
template <class F>
std::unique_ptr<Form> made() {
  return std::make_unique<F>();
}

// The kernels, and what they are launched with.
enum class Kernel : std::uint8_t { scale, strided, clustered, late };
[[nodiscard]] const void* address_of(Kernel kernel);

struct Launch {
  Launch(const opgate::Call& call, std::int64_t from, std::int64_t to);
  Launch(const Launch&) = delete;
  Launch& operator=(const Launch&) = delete;
  const float* x;
  float* y;
  std::int64_t begin;
  std::int64_t end;
  void* arguments[4] = {&x, &y, &begin, &end};
  dim3 grid;
  dim3 block;
};

// By <<<>>>.
void scale(const opgate::Call& call, std::int64_t begin, std::int64_t end, cudaStream_t stream);
void scale_all(const opgate::Call& call, Kernel kernel, cudaStream_t stream);
void scale_parts(const opgate::Call& call, int parts);  // one kernel each, in call.stream
void spin(std::int64_t cycles, cudaStream_t stream);
[[nodiscard]] dim3 strided_grid();
[[nodiscard]] std::int64_t size_of(const opgate::Call& call);

class Stream {
 public:
  Stream() { OPGATE_CUDA(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking)); }
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
  ~Stream() { cudaStreamDestroy(stream_); }
  [[nodiscard]] cudaStream_t get() const { return stream_; }

 private:
  cudaStream_t stream_ = nullptr;
};

// Lets one stream wait for another.
class Order {
 public:
  Order() { OPGATE_CUDA(cudaEventCreateWithFlags(&event_, cudaEventDisableTiming)); }
  Order(const Order&) = delete;
  Order& operator=(const Order&) = delete;
  ~Order() { cudaEventDestroy(event_); }
  void after(cudaStream_t first, cudaStream_t second) {
    OPGATE_CUDA(cudaEventRecord(event_, first));
    OPGATE_CUDA(cudaStreamWaitEvent(second, event_));
  }

 private:
  cudaEvent_t event_ = nullptr;
};

}  // namespace selftest
