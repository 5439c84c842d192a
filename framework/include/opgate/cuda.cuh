#pragma once

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>
#include <cuda_runtime.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>

#include "opgate/error.hpp"
#include "opgate/tensor.hpp"

namespace opgate {

/// Throws Error(cuda) with the call, CUDA's own words and file:line.
[[noreturn]] inline void throw_cuda(cudaError_t status, const char* call, std::string_view file, int line) {
  // An error that does not poison the context must not surface again at the next launch.
  static_cast<void>(cudaGetLastError());
  const std::string what =
      std::string(call) + ": " + cudaGetErrorString(status) + " (" + cudaGetErrorName(status) + ")";
  const std::string where = std::string(file.substr(file.find_last_of("/\\") + 1)) + ":" + std::to_string(line);
  std::string remedy;
  if (status == cudaErrorMemoryAllocation) {
    remedy = "free device memory, or give the workload smaller dimensions";
  } else if (status == cudaErrorIllegalAddress || status == cudaErrorMisalignedAddress ||
             status == cudaErrorLaunchFailure || status == cudaErrorAssert) {
    remedy = "run the case with --check under compute-sanitizer";
  } else if (status == cudaErrorInsufficientDriver || status == cudaErrorNoDevice) {
    remedy = "install an NVIDIA driver that is new enough for this CUDA, and give this process a GPU";
  }
  throw Error(ErrorKind::cuda, what, where, remedy);
}

/// What visit_dtype hands over; its `type` is the element type: `using T = typename decltype(tag)::type;`
template <class T>
struct TypeTag {
  using type = T;  ///< the element type itself
};

/// The dtype that a C++ or CUDA type is stored as.
template <class T>
inline constexpr DType kDTypeOf = [] {
  if constexpr (std::is_same_v<T, double>) return DType::f64;
  if constexpr (std::is_same_v<T, float>) return DType::f32;
  if constexpr (std::is_same_v<T, __half>) return DType::f16;
  if constexpr (std::is_same_v<T, __nv_bfloat16>) return DType::bf16;
  if constexpr (std::is_same_v<T, __nv_fp8_e4m3>) return DType::f8e4m3;
  if constexpr (std::is_same_v<T, std::int64_t>) return DType::i64;
  if constexpr (std::is_same_v<T, std::int32_t>) return DType::i32;
  if constexpr (std::is_same_v<T, std::int8_t>) return DType::i8;
  if constexpr (std::is_same_v<T, std::uint8_t>) return DType::u8;
}();

/// Calls body(TypeTag<T>{}) with the T of `Ts` that is stored as `dtype`; Error(op) when there is none.
template <class... Ts, class Body>
void visit_types(DType dtype, Body&& body) {
  const bool found = ((kDTypeOf<Ts> == dtype ? (body(TypeTag<Ts>{}), true) : false) || ...);
  if (!found) {
    throw Error(ErrorKind::op, "no kernel for dtype " + std::string(to_string(dtype)), {},
                "remove the dtype from the spec, or give the op a kernel for it");
  }
}

/// visit_types over every dtype.
template <class Body>
void visit_dtype(DType dtype, Body&& body) {
  visit_types<double, float, __half, __nv_bfloat16, __nv_fp8_e4m3, std::int64_t, std::int32_t, std::int8_t,
              std::uint8_t>(dtype, body);
}

/// The value as a double; only 64-bit integers beyond 2^53 are rounded.
template <class T>
[[nodiscard]] __host__ __device__ inline double to_f64(T value) {
  if constexpr (std::is_arithmetic_v<T>) {
    return static_cast<double>(value);
  } else {
    return static_cast<double>(static_cast<float>(value));
  }
}

/// Rounds once, straight from the double.
template <class T>
[[nodiscard]] __host__ __device__ inline T from_f64(double value) {
  if constexpr (std::is_same_v<T, __half>) {
    return __double2half(value);
  } else if constexpr (std::is_same_v<T, __nv_bfloat16>) {
    return __double2bfloat16(value);
  } else {
    return static_cast<T>(value);
  }
}

}  // namespace opgate

/// For every CUDA runtime call: OPGATE_CUDA(cudaMemsetAsync(...));
#define OPGATE_CUDA(call)                                             \
  do {                                                                \
    const cudaError_t opgate_status = (call);                         \
    if (opgate_status != cudaSuccess) {                               \
      ::opgate::throw_cuda(opgate_status, #call, __FILE__, __LINE__); \
    }                                                                 \
  } while (false)

/// After kernel<<<...>>>(...): a launch that was refused.
#define OPGATE_LAUNCHED()                                                       \
  do {                                                                          \
    const cudaError_t opgate_status = cudaGetLastError();                       \
    if (opgate_status != cudaSuccess) {                                         \
      ::opgate::throw_cuda(opgate_status, "kernel launch", __FILE__, __LINE__); \
    }                                                                           \
  } while (false)
