// Streams, graphs, threads, and calls that block.
#include <array>
#include <cstdint>
#include <limits>
#include <thread>

#include <opgate/label.hpp>

#include "selftest.hpp"

namespace selftest {
namespace {

class Scratch {
 public:
  explicit Scratch(std::size_t bytes) { OPGATE_CUDA(cudaMalloc(&data_, bytes)); }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  ~Scratch() { cudaFree(data_); }
  [[nodiscard]] void* get() const { return data_; }

 private:
  void* data_ = nullptr;
};

// A quarter on each of four streams, one after the other: the union is that of four kernels in one stream.
class ManyStreams final : public Form {
 public:
  void run(const opgate::Call& call, bool) override {
    const std::int64_t n = size_of(call);
    cudaStream_t before = call.stream;
    for (std::size_t i = 0; i < streams_.size(); ++i) {
      const auto part = static_cast<std::int64_t>(i);
      order_.after(before, streams_[i].get());
      scale(call, n * part / 4, n * (part + 1) / 4, streams_[i].get());
      before = streams_[i].get();
    }
    order_.after(before, call.stream);
  }

 private:
  std::array<Stream, 4> streams_;
  Order order_;
};

class PerThreadStream final : public Form {
 public:
  void run(const opgate::Call& call, bool) override {
    order_.after(call.stream, cudaStreamPerThread);
    scale_all(call, Kernel::scale, cudaStreamPerThread);
    order_.after(cudaStreamPerThread, call.stream);
  }

 private:
  Order order_;
};

class NonBlocking final : public Form {
 public:
  void run(const opgate::Call& call, bool) override {
    order_.after(call.stream, stream_.get());
    scale_all(call, Kernel::scale, stream_.get());
    order_.after(stream_.get(), call.stream);
  }

 private:
  Stream stream_;
  Order order_;
};

// Neither after call.stream nor before it: only draining the device ends it.
class Unordered final : public Form {
 public:
  void run(const opgate::Call& call, bool) override { scale_all(call, Kernel::scale, stream_.get()); }

 private:
  Stream stream_;
};

// About 1 ms that outlasts the call and its own kernel.
class StillRunning final : public Form {
 public:
  void run(const opgate::Call& call, bool) override {
    scale_all(call, Kernel::scale, call.stream);
    spin(2'000'000, stream_.get());
  }

 private:
  Stream stream_;
};

class Graph final : public Form {
 public:
  explicit Graph(void (*capture)(const opgate::Call&, void* scratch)) : capture_(capture) {}
  ~Graph() override {
    if (graph_ != nullptr) {
      cudaGraphExecDestroy(graph_);
    }
  }
  void set_up(const opgate::Call& call) override {
    scratch_ = std::make_unique<Scratch>(call.out["y"].bytes());
    cudaGraph_t captured = nullptr;
    OPGATE_CUDA(cudaStreamBeginCapture(call.stream, cudaStreamCaptureModeThreadLocal));
    capture_(call, scratch_->get());
    OPGATE_CUDA(cudaStreamEndCapture(call.stream, &captured));
    OPGATE_CUDA(cudaGraphInstantiate(&graph_, captured, 0));
    OPGATE_CUDA(cudaGraphDestroy(captured));
  }
  void run(const opgate::Call& call, bool) override { OPGATE_CUDA(cudaGraphLaunch(graph_, call.stream)); }

 private:
  void (*capture_)(const opgate::Call&, void*);
  std::unique_ptr<Scratch> scratch_;
  cudaGraphExec_t graph_ = nullptr;
};

void three_kernels(const opgate::Call& call, void*) {
  scale_parts(call, 3);
}

void kernel_and_copies(const opgate::Call& call, void* scratch) {
  const opgate::Tensor& y = call.out["y"];
  OPGATE_CUDA(cudaMemsetAsync(scratch, 0, y.bytes(), call.stream));
  scale_all(call, Kernel::scale, call.stream);
  OPGATE_CUDA(cudaMemcpyAsync(scratch, y.data, y.bytes(), cudaMemcpyDeviceToDevice, call.stream));
}

class WithCopies final : public Form {
 public:
  void set_up(const opgate::Call& call) override { scratch_ = std::make_unique<Scratch>(call.out["y"].bytes()); }
  void run(const opgate::Call& call, bool) override { kernel_and_copies(call, scratch_->get()); }

 private:
  std::unique_ptr<Scratch> scratch_;
};

// A pool that gives its memory back at every synchronisation unmaps it, and the next kernel pays for the lost
// translations (measured: 0.5 us of 12.5); so this one keeps it, as ops do.
class AsyncAllocation final : public Form {
 public:
  void set_up(const opgate::Call&) override {
    int device = 0;
    cudaMemPool_t pool = nullptr;
    std::uint64_t keep_bytes = std::numeric_limits<std::uint64_t>::max();
    OPGATE_CUDA(cudaGetDevice(&device));
    OPGATE_CUDA(cudaDeviceGetDefaultMemPool(&pool, device));
    OPGATE_CUDA(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &keep_bytes));
  }
  void run(const opgate::Call& call, bool) override {
    void* memory = nullptr;
    OPGATE_CUDA(cudaMallocAsync(&memory, call.out["y"].bytes(), call.stream));
    scale_all(call, Kernel::scale, call.stream);
    OPGATE_CUDA(cudaFreeAsync(memory, call.stream));
  }
};

// An eighth from each of eight threads, in one stream.
class EightThreads final : public Form {
 public:
  void run(const opgate::Call& call, bool) override {
    const opgate::CallLabel label = opgate::current_label();
    std::array<std::thread, 8> workers;
    for (std::size_t i = 0; i < workers.size(); ++i) {
      workers[i] = std::thread([&call, label, part = static_cast<std::int64_t>(i)] {
        const opgate::LabelScope scope(label);
        scale(call, size_of(call) * part / 8, size_of(call) * (part + 1) / 8, call.stream);
      });
    }
    for (std::thread& worker : workers) {
      worker.join();
    }
  }
};

// Keeps the label of one call for the next.
class OldLabel final : public Form {
 public:
  void run(const opgate::Call& call, bool) override {
    if (!label_) {
      label_ = opgate::current_label();
    }
    std::thread([&] {
      const opgate::LabelScope scope(label_);
      scale_all(call, Kernel::scale, call.stream);
    }).join();
  }

 private:
  opgate::CallLabel label_;
};

// Ends its scope after the call.
class OpenScope final : public Form {
 public:
  void run(const opgate::Call& call, bool) override {
    scale_all(call, Kernel::scale, call.stream);
    const opgate::CallLabel label = opgate::current_label();
    std::thread([&] { scope_ = std::make_unique<opgate::LabelScope>(label); }).join();
  }

 private:
  std::unique_ptr<opgate::LabelScope> scope_;
};

class Synchronises final : public Form {
 public:
  void run(const opgate::Call& call, bool) override {
    const std::int64_t n = size_of(call);
    scale(call, 0, n / 2, call.stream);
    OPGATE_CUDA(cudaStreamSynchronize(call.stream));
    scale(call, n / 2, n, call.stream);
  }
};

// cudaFree waits for the kernel, and then takes the host longer the more it frees.
template <std::size_t bytes>
class Frees final : public Form {
 public:
  void run(const opgate::Call& call, bool) override {
    const Scratch scratch(bytes);
    scale_all(call, Kernel::scale, call.stream);
  }
};

const Registered kManyStreams{"many-streams", made<ManyStreams>};
const Registered kPerThread{"per-thread-stream", made<PerThreadStream>};
const Registered kNonBlocking{"non-blocking", made<NonBlocking>};
const Registered kUnordered{"unordered", made<Unordered>};
const Registered kStillRunning{"still-running", made<StillRunning>};
const Registered kGraph{"graph", []() -> std::unique_ptr<Form> { return std::make_unique<Graph>(three_kernels); }};
const Registered kGraphCopies{"graph-copies",
                              []() -> std::unique_ptr<Form> { return std::make_unique<Graph>(kernel_and_copies); }};
const Registered kWithCopies{"with-copies", made<WithCopies>};
const Registered kAsync{"async-allocation", made<AsyncAllocation>};
const Registered kThreads{"eight-threads", made<EightThreads>};
const Registered kOldLabel{"old-label", made<OldLabel>};
const Registered kOpenScope{"open-scope", made<OpenScope>};
const Registered kSynchronises{"synchronises", made<Synchronises>};
const Registered kFrees{"frees", made<Frees<std::size_t{1} << 20U>>};
const Registered kFreesLarge{"frees-large", made<Frees<std::size_t{512} << 20U>>};

}  // namespace
}  // namespace selftest
