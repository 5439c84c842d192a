#pragma once

#include <cstddef>

#include "opgate/cuda.cuh"

namespace ops {

// Workspace of an op: allocated in set_up, kept as long as the op.
class DeviceMemory {
 public:
  DeviceMemory() = default;
  DeviceMemory(const DeviceMemory&) = delete;
  DeviceMemory& operator=(const DeviceMemory&) = delete;
  ~DeviceMemory() { release(); }

  void allocate(std::size_t bytes) {
    release();
    OPGATE_CUDA(cudaMalloc(&data_, bytes == 0 ? 1 : bytes));
    bytes_ = bytes;
  }
  template <class T>
  [[nodiscard]] T* as() const {
    return static_cast<T*>(data_);
  }
  [[nodiscard]] std::size_t bytes() const { return bytes_; }

 private:
  void release() {
    // A destructor cannot report; whatever broke the context has been reported by the call that did.
    if (data_ != nullptr) static_cast<void>(cudaFree(data_));
    data_ = nullptr;
  }

  void* data_ = nullptr;
  std::size_t bytes_ = 0;
};

// CUB's two calls: one that says how much storage it needs, one that works. `call(storage, bytes)` is the same for
// both.
class CubStorage {
 public:
  template <class CubCall>
  void set_up(CubCall&& call) {
    std::size_t bytes = 0;
    OPGATE_CUDA(call(nullptr, bytes));
    memory_.allocate(bytes);
  }
  template <class CubCall>
  void run(CubCall&& call) const {
    // CUB takes an empty storage for the question, so allocate() never gives none.
    std::size_t bytes = memory_.bytes();
    OPGATE_CUDA(call(memory_.as<void>(), bytes));
  }

 private:
  DeviceMemory memory_;
};

}  // namespace ops
