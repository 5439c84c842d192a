#pragma once

#include <cstddef>

struct CUstream_st;

namespace opgate::collect {

// What marker work looks like in records. The sizes tell its copies and memsets from any others.
inline constexpr const char* kMarkerKernel = "opgate_marker_kernel";
inline constexpr std::size_t kMarkerCopyBytes = 4091;
inline constexpr std::size_t kMarkerMemsetBytes = 4093;
inline constexpr std::size_t kMarkerDriverBytes = 4099;
inline constexpr int kMarkerGraphKernels = 3;

// Work whose records prove that tracing is whole: a kernel, a copy and a memset by the runtime's API, a memset by the
// driver's. Error(cuda) from every method. Built only with CUDA.
class Marker {
 public:
  Marker();
  Marker(const Marker&) = delete;
  Marker& operator=(const Marker&) = delete;
  ~Marker();

  void launch();
  void launch_graph();  // of kMarkerGraphKernels kernels, captured now

 private:
  using DriverMemset = int (*)(unsigned long long, unsigned char, std::size_t, CUstream_st*);
  CUstream_st* stream_ = nullptr;
  void* scratch_ = nullptr;
  DriverMemset driver_memset_ = nullptr;
};

}  // namespace opgate::collect
