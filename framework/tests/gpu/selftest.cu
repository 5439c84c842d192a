// An op that behaves as its workload's name says. Faults begin after the check, so that they meet the measuring.
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "selftest.hpp"

namespace selftest {
namespace {

std::map<std::string, MakeForm>& forms() {
  static std::map<std::string, MakeForm> all;
  return all;
}

}  // namespace

Registered::Registered(const char* name, MakeForm make) {
  forms()[name] = make;
}

std::unique_ptr<Form> make_form(const std::string& name) {
  const auto found = forms().find(name);
  return found == forms().end() ? nullptr : found->second();
}

}  // namespace selftest

namespace {

constexpr int kThreads = 256;

__global__ void scale(const float* x, float* y, std::int64_t begin, std::int64_t end) {
  const std::int64_t i = begin + static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < end) {
    y[i] = 2.0F * x[i];
  }
}

__global__ void reference(const float* x, double* y, std::int64_t n) {
  const std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < n) {
    y[i] = 2.0 * static_cast<double>(x[i]);
  }
}

__global__ void add_one(float* x) {
  x[0] += 1.0F;
}

__global__ void trap() {
  __trap();
}

__global__ void spin_for(std::int64_t cycles) {
  const std::int64_t start = clock64();
  while (clock64() - start < cycles) {
  }
}

unsigned blocks(std::int64_t n) {
  return static_cast<unsigned>((n + kThreads - 1) / kThreads);
}

void launch_part(const opgate::Call& call, std::int64_t begin, std::int64_t end, cudaStream_t stream) {
  scale<<<blocks(end - begin), kThreads, 0, stream>>>(call.in["x"].as<float>(), call.out["y"].as<float>(), begin, end);
  OPGATE_LAUNCHED();
}

class SelfTest : public opgate::Op {
 public:
  ~SelfTest() override {
    if (side_ != nullptr) {
      cudaEventDestroy(fork_);
      cudaEventDestroy(join_);
      cudaStreamDestroy(side_);
    }
  }

  void set_up(const opgate::Call& call) override {
    form_ = selftest::make_form(call.workload.name);
    if (form_) {
      form_->set_up(call);
    }
    if (call.workload.name == "two-streams") {
      OPGATE_CUDA(cudaStreamCreateWithFlags(&side_, cudaStreamNonBlocking));
      OPGATE_CUDA(cudaEventCreateWithFlags(&fork_, cudaEventDisableTiming));
      OPGATE_CUDA(cudaEventCreateWithFlags(&join_, cudaEventDisableTiming));
    }
  }

  void run(const opgate::Call& call) override {
    ++calls_;
    const std::string& name = call.workload.name;
    const std::int64_t n = call.workload.dim("n");
    const bool checked = calls_ > 1;  // the first call is the check
    if (form_) {
      form_->run(call, checked);
    } else if (name == "two-streams") {
      run_on_two_streams(call, n);
    } else if (name == "off-thread") {
      std::thread([&] { launch_part(call, 0, n, call.stream); }).join();
    } else if (name == "launches-nothing" && checked) {
      return;
    } else if (name == "host-only" && checked) {
      for (float& value : on_host_) {
        value *= 2.0F;
      }
    } else if (name == "cached-answer" && checked) {
      spin_for<<<1, 1, 0, call.stream>>>(2000);
    } else {
      launch_part(call, 0, n, call.stream);
      if (checked) {
        misbehave(call, name);
      }
    }
    if (name == "alternating" && calls_ % 2 == 0) {
      spin_for<<<1, 1, 0, call.stream>>>(8000);
    }
    if (name == "wrong-output") {
      OPGATE_CUDA(cudaMemsetAsync(call.out["y"].as<float>() + n / 2, 0, sizeof(float), call.stream));
    } else if (name == "changes-input") {
      add_one<<<1, 1, 0, call.stream>>>(call.in["x"].as<float>());
    }
  }

 private:
  void misbehave(const opgate::Call& call, const std::string& name) {
    if (name == "copies") {
      const std::size_t half = call.out["y"].bytes() / 2;
      OPGATE_CUDA(cudaMemcpyAsync(scratch(half), call.out["y"].data, half, cudaMemcpyDeviceToDevice, call.stream));
    } else if (name == "throws") {
      throw std::runtime_error("the op is tired");
    } else if (name == "crashes") {
      std::abort();
    } else if (name == "killed") {
      ::raise(SIGKILL);
    } else if (name == "forks") {
      fork_once();
    } else if (name == "fork-returns") {
      // The child comes back into the framework as if it were the worker.
      static_cast<void>(::fork());
    } else if (name == "exits") {
      std::exit(0);
    } else if (name == "hangs") {
      for (;;) {
        ::pause();
      }
    } else if (name == "sticky-error") {
      trap<<<1, 1, 0, call.stream>>>();
    } else if (name == "out-of-memory") {
      void* all = nullptr;
      OPGATE_CUDA(cudaMalloc(&all, std::size_t{1} << 50U));
    }
  }

  static void fork_once() {
    const pid_t child = ::fork();
    if (child == 0) {
      ::_exit(0);
    }
    ::waitpid(child, nullptr, 0);
  }

  void run_on_two_streams(const opgate::Call& call, std::int64_t n) {
    OPGATE_CUDA(cudaEventRecord(fork_, call.stream));
    OPGATE_CUDA(cudaStreamWaitEvent(side_, fork_));
    launch_part(call, 0, n / 2, call.stream);
    launch_part(call, n / 2, n, side_);
    OPGATE_CUDA(cudaEventRecord(join_, side_));
    OPGATE_CUDA(cudaStreamWaitEvent(call.stream, join_));
  }

  void* scratch(std::size_t bytes) {
    if (scratch_ == nullptr) {
      OPGATE_CUDA(cudaMalloc(&scratch_, bytes));
    }
    return scratch_;
  }

  std::unique_ptr<selftest::Form> form_;
  std::vector<float> on_host_ = std::vector<float>(1024, 1.0F);
  int calls_ = 0;
  void* scratch_ = nullptr;
  cudaStream_t side_ = nullptr;
  cudaEvent_t fork_ = nullptr;
  cudaEvent_t join_ = nullptr;
};

void expect(const opgate::Call& call) {
  const std::int64_t n = call.workload.dim("n");
  reference<<<blocks(n), kThreads, 0, call.stream>>>(call.in["x"].as<float>(), call.out["y"].as<double>(), n);
  OPGATE_LAUNCHED();
}

}  // namespace

OPGATE_OP(selftest, SelfTest)
OPGATE_REFERENCE(selftest, expect)

// The same op with a spec that counts copies.
class Counted final : public SelfTest {};
OPGATE_OP(selftest_counted, Counted)
OPGATE_REFERENCE(selftest_counted, expect)
