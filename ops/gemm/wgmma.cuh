#pragma once

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cstdint>
#include <type_traits>

// The PTX of the Hopper tile kernel (PTX ISA: "Asynchronous copy" and "Asynchronous Warpgroup Level Matrix
// Multiply-Accumulate Instructions").
namespace ops::gemm {

#define OPGATE_REGS_16 "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15"
#define OPGATE_REGS_24 OPGATE_REGS_16 ", %16, %17, %18, %19, %20, %21, %22, %23"
#define OPGATE_REGS_32 OPGATE_REGS_24 ", %24, %25, %26, %27, %28, %29, %30, %31"
#define OPGATE_REGS_64                                                               \
  OPGATE_REGS_32                                                                     \
  ", %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47" \
  ", %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63"
#define OPGATE_REGS_128                                                                          \
  OPGATE_REGS_64                                                                                 \
  ", %64, %65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, %78, %79"             \
  ", %80, %81, %82, %83, %84, %85, %86, %87, %88, %89, %90, %91, %92, %93, %94, %95"             \
  ", %96, %97, %98, %99, %100, %101, %102, %103, %104, %105, %106, %107, %108, %109, %110, %111" \
  ", %112, %113, %114, %115, %116, %117, %118, %119, %120, %121, %122, %123, %124, %125, %126, %127"
#define OPGATE_D4(i) "+f"(d[i]), "+f"(d[(i) + 1]), "+f"(d[(i) + 2]), "+f"(d[(i) + 3])
#define OPGATE_D16(i) OPGATE_D4(i), OPGATE_D4((i) + 4), OPGATE_D4((i) + 8), OPGATE_D4((i) + 12)
#define OPGATE_D24(i) OPGATE_D16(i), OPGATE_D4((i) + 16), OPGATE_D4((i) + 20)
#define OPGATE_D32(i) OPGATE_D16(i), OPGATE_D16((i) + 16)
#define OPGATE_D64(i) OPGATE_D32(i), OPGATE_D32((i) + 32)
#define OPGATE_D128(i) OPGATE_D64(i), OPGATE_D64((i) + 64)
// a, b and accumulate are the three operands after the registers of d.
#define OPGATE_WGMMA(N, TYPE, REGS, D, A, B, ACCUMULATE)                                               \
  asm volatile("{\n.reg .pred p;\nsetp.ne.b32 p, " ACCUMULATE                                          \
               ", 0;\n"                                                                                \
               "wgmma.mma_async.sync.aligned.m64n" N "k16.f32." TYPE "." TYPE " {" REGS "}, " A ", " B \
               ", p, 1, 1, 0, 0;\n}\n"                                                                 \
               : D                                                                                     \
               : "l"(a), "l"(b), "r"(accumulate))

// d (64 x N, f32) = or += A (64 x 16) * B (N x 16)^T, both K-major in shared memory. d is valid after wgmma_wait.
template <class T, int N>
__device__ inline void wgmma(float (&d)[N / 2], std::uint64_t a, std::uint64_t b, int accumulate) {
  static_assert(N == 32 || N == 48 || N == 64 || N == 128 || N == 256);
  constexpr bool kHalf = std::is_same_v<T, __half>;
  static_assert(kHalf || std::is_same_v<T, __nv_bfloat16>);
  if constexpr (N == 32 && kHalf) {
    OPGATE_WGMMA("32", "f16", OPGATE_REGS_16, OPGATE_D16(0), "%16", "%17", "%18");
  } else if constexpr (N == 32) {
    OPGATE_WGMMA("32", "bf16", OPGATE_REGS_16, OPGATE_D16(0), "%16", "%17", "%18");
  } else if constexpr (N == 48 && kHalf) {
    OPGATE_WGMMA("48", "f16", OPGATE_REGS_24, OPGATE_D24(0), "%24", "%25", "%26");
  } else if constexpr (N == 48) {
    OPGATE_WGMMA("48", "bf16", OPGATE_REGS_24, OPGATE_D24(0), "%24", "%25", "%26");
  } else if constexpr (N == 64 && kHalf) {
    OPGATE_WGMMA("64", "f16", OPGATE_REGS_32, OPGATE_D32(0), "%32", "%33", "%34");
  } else if constexpr (N == 64) {
    OPGATE_WGMMA("64", "bf16", OPGATE_REGS_32, OPGATE_D32(0), "%32", "%33", "%34");
  } else if constexpr (N == 128 && kHalf) {
    OPGATE_WGMMA("128", "f16", OPGATE_REGS_64, OPGATE_D64(0), "%64", "%65", "%66");
  } else if constexpr (N == 128) {
    OPGATE_WGMMA("128", "bf16", OPGATE_REGS_64, OPGATE_D64(0), "%64", "%65", "%66");
  } else if constexpr (kHalf) {
    OPGATE_WGMMA("256", "f16", OPGATE_REGS_128, OPGATE_D128(0), "%128", "%129", "%130");
  } else {
    OPGATE_WGMMA("256", "bf16", OPGATE_REGS_128, OPGATE_D128(0), "%128", "%129", "%130");
  }
}

// The same with A in registers: a warp's 16 rows as ldmatrix loads them. They stay as they are until wgmma_wait.
template <class T>
__device__ inline void wgmma(float (&d)[64], const unsigned (&a)[4], std::uint64_t b, int accumulate) {
  constexpr bool kHalf = std::is_same_v<T, __half>;
  static_assert(kHalf || std::is_same_v<T, __nv_bfloat16>);
#define OPGATE_WGMMA_REGISTERS(TYPE)                                                   \
  asm volatile(                                                                        \
      "{\n.reg .pred p;\nsetp.ne.b32 p, %69, 0;\n"                                     \
      "wgmma.mma_async.sync.aligned.m64n128k16.f32." TYPE "." TYPE " {" OPGATE_REGS_64 \
      "}, "                                                                            \
      "{%64, %65, %66, %67}, %68, p, 1, 1, 0;\n}\n"                                    \
      : OPGATE_D64(0)                                                                  \
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b), "r"(accumulate))
  if constexpr (kHalf) {
    OPGATE_WGMMA_REGISTERS("f16");
  } else {
    OPGATE_WGMMA_REGISTERS("bf16");
  }
#undef OPGATE_WGMMA_REGISTERS
}

#undef OPGATE_REGS_16
#undef OPGATE_REGS_24
#undef OPGATE_REGS_32
#undef OPGATE_REGS_64
#undef OPGATE_REGS_128
#undef OPGATE_D4
#undef OPGATE_D16
#undef OPGATE_D24
#undef OPGATE_D32
#undef OPGATE_D64
#undef OPGATE_D128
#undef OPGATE_WGMMA

inline constexpr int kRowBytes = 128;  // of a tile of the 128-byte swizzle

// Matrix descriptor of a K-major tile of 128-byte rows with 128-byte swizzle: groups of 8 rows lie 1024 bytes apart
// (stride offset), the leading offset is unused. `address` is a multiple of 1024, plus 32 per k step of 16.
__device__ inline std::uint64_t descriptor(std::uint32_t address) {
  constexpr std::uint64_t kSwizzle128 = 1ULL << 62;
  constexpr std::uint64_t kStride1024 = (1024ULL >> 4) << 32;
  constexpr std::uint64_t kLeadingUnused = 1ULL << 16;
  return kSwizzle128 | kStride1024 | kLeadingUnused | ((address & 0x3FFFFU) >> 4);
}

__device__ inline void wgmma_fence() {
  asm volatile("wgmma.fence.sync.aligned;\n" ::: "memory");
}
__device__ inline void wgmma_commit() {
  asm volatile("wgmma.commit_group.sync.aligned;\n" ::: "memory");
}
// At most kPending groups of this warpgroup are still running afterwards.
template <int kPending>
__device__ inline void wgmma_wait() {
  asm volatile("wgmma.wait_group.sync.aligned %0;\n" ::"n"(kPending) : "memory");
}
// The compiler believes d is ready when wgmma is issued; this keeps its reads behind the wait.
template <int kCount>
__device__ inline void pin(float (&d)[kCount]) {
#pragma unroll
  for (int i = 0; i < kCount; ++i) asm volatile("" : "+f"(d[i])::"memory");
}

}  // namespace ops::gemm
