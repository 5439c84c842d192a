#include "collect/cuda_devices.hpp"

#include <cuda.h>
#include <cuda_runtime_api.h>
#include <fmt/format.h>

#include "opgate/error.hpp"

namespace opgate::collect {
namespace {

void check(cudaError_t status, const char* call) {
  if (status == cudaSuccess) return;
  throw Error(ErrorKind::cuda, fmt::format("{}: {}", cudaGetErrorName(status), cudaGetErrorString(status)), call);
}

using PrimaryContextState = CUresult (*)(CUdevice device, unsigned int* flags, int* active);

// Through the runtime, because linking libcuda.so.1 would keep the executable from starting on a machine without a
// driver, where it has to say why it is skipped.
PrimaryContextState find_primary_context_state() {
  constexpr unsigned int kSince = 7000;  // cuDevicePrimaryCtxGetState came with CUDA 7.0
  void* function = nullptr;
  cudaDriverEntryPointQueryResult found = cudaDriverEntryPointSymbolNotFound;
  check(cudaGetDriverEntryPointByVersion("cuDevicePrimaryCtxGetState", &function, kSince, cudaEnableDefault, &found),
        "cudaGetDriverEntryPointByVersion");
  if (found != cudaDriverEntryPointSuccess || function == nullptr) {
    throw Error(ErrorKind::cuda, "the driver has no cuDevicePrimaryCtxGetState", "cudaGetDriverEntryPointByVersion",
                "update the NVIDIA driver");
  }
  return reinterpret_cast<PrimaryContextState>(function);
}

// Makes another device current for a while.
class OnDevice {
 public:
  explicit OnDevice(int device) {
    check(cudaGetDevice(&previous_), "cudaGetDevice");
    changed_ = device != previous_;
    if (changed_) check(cudaSetDevice(device), "cudaSetDevice");
  }
  OnDevice(const OnDevice&) = delete;
  OnDevice& operator=(const OnDevice&) = delete;
  ~OnDevice() {
    if (changed_) static_cast<void>(cudaSetDevice(previous_));
  }

 private:
  int previous_ = 0;
  bool changed_ = false;
};

}  // namespace

void create_context() {
  const cudaError_t status = cudaFree(nullptr);
  if (status == cudaErrorNoDevice || status == cudaErrorInsufficientDriver || status == cudaErrorSystemNotReady ||
      status == cudaErrorSystemDriverMismatch || status == cudaErrorDevicesUnavailable) {
    throw Error(ErrorKind::device, fmt::format("{}: {}", cudaGetErrorName(status), cudaGetErrorString(status)),
                "cudaFree", "run `opgate doctor` to see what keeps CUDA from using the GPU");
  }
  check(status, "cudaFree");
}

void drain_devices() {
  static const PrimaryContextState primary_context_state = find_primary_context_state();
  int count = 0;
  check(cudaGetDeviceCount(&count), "cudaGetDeviceCount");
  for (int device = 0; device < count; ++device) {
    unsigned int flags = 0;
    int active = 0;
    // Ordinals of the runtime and the driver are the same, and a CUdevice is its ordinal (cuda.h: cuDeviceGet).
    if (primary_context_state(device, &flags, &active) != CUDA_SUCCESS || active == 0) continue;
    const OnDevice here(device);
    check(cudaDeviceSynchronize(), fmt::format("cudaDeviceSynchronize on device {}", device).c_str());
  }
}

int current_device() {
  int device = 0;
  check(cudaGetDevice(&device), "cudaGetDevice");
  return device;
}

void use_device(int device) {
  check(cudaSetDevice(device), "cudaSetDevice");
}

void do_something_traceable() {
  void* scratch = nullptr;
  check(cudaMalloc(&scratch, 256), "cudaMalloc");
  const cudaError_t status = cudaMemsetAsync(scratch, 0, 256, nullptr);
  const cudaError_t awaited = cudaDeviceSynchronize();
  static_cast<void>(cudaFree(scratch));
  check(status, "cudaMemsetAsync");
  check(awaited, "cudaDeviceSynchronize");
}

}  // namespace opgate::collect
