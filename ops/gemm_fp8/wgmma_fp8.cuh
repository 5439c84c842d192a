#pragma once

#include <cstdint>

// wgmma on 8-bit floats (PTX ISA: "Asynchronous Warpgroup Level Matrix Multiply-Accumulate Instructions").
namespace ops::gemm_fp8 {

#define OPGATE_REGS_16 "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15"
#define OPGATE_REGS_24 OPGATE_REGS_16 ", %16, %17, %18, %19, %20, %21, %22, %23"
#define OPGATE_REGS_32 OPGATE_REGS_24 ", %24, %25, %26, %27, %28, %29, %30, %31"
#define OPGATE_REGS_64                                                               \
  OPGATE_REGS_32                                                                     \
  ", %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47" \
  ", %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63"
#define OPGATE_D4(i) "+f"(d[i]), "+f"(d[(i) + 1]), "+f"(d[(i) + 2]), "+f"(d[(i) + 3])
#define OPGATE_D16(i) OPGATE_D4(i), OPGATE_D4((i) + 4), OPGATE_D4((i) + 8), OPGATE_D4((i) + 12)
#define OPGATE_D24(i) OPGATE_D16(i), OPGATE_D4((i) + 16), OPGATE_D4((i) + 20)
#define OPGATE_D32(i) OPGATE_D16(i), OPGATE_D16((i) + 16)
#define OPGATE_D64(i) OPGATE_D32(i), OPGATE_D32((i) + 32)
// a, b and accumulate are the three operands after the registers of d.
#define OPGATE_WGMMA(N, REGS, D, A, B, ACCUMULATE)                                             \
  asm volatile("{\n.reg .pred p;\nsetp.ne.b32 p, " ACCUMULATE                                  \
               ", 0;\n"                                                                        \
               "wgmma.mma_async.sync.aligned.m64n" N "k32.f32.e4m3.e4m3 {" REGS "}, " A ", " B \
               ", p, 1, "                                                                      \
               "1;\n}\n"                                                                       \
               : D                                                                             \
               : "l"(a), "l"(b), "r"(accumulate))

// d (64 x N, f32) = or += A (64 x 32) * B (N x 32)^T, both e4m3 and K-major in shared memory. d is valid after
// wgmma_wait.
template <int N>
__device__ inline void wgmma_e4m3(float (&d)[N / 2], std::uint64_t a, std::uint64_t b, int accumulate) {
  static_assert(N == 32 || N == 48 || N == 64 || N == 128);
  if constexpr (N == 32) {
    OPGATE_WGMMA("32", OPGATE_REGS_16, OPGATE_D16(0), "%16", "%17", "%18");
  } else if constexpr (N == 48) {
    OPGATE_WGMMA("48", OPGATE_REGS_24, OPGATE_D24(0), "%24", "%25", "%26");
  } else if constexpr (N == 64) {
    OPGATE_WGMMA("64", OPGATE_REGS_32, OPGATE_D32(0), "%32", "%33", "%34");
  } else {
    OPGATE_WGMMA("128", OPGATE_REGS_64, OPGATE_D64(0), "%64", "%65", "%66");
  }
}

#undef OPGATE_WGMMA
#undef OPGATE_REGS_16
#undef OPGATE_REGS_24
#undef OPGATE_REGS_32
#undef OPGATE_REGS_64
#undef OPGATE_D4
#undef OPGATE_D16
#undef OPGATE_D24
#undef OPGATE_D32
#undef OPGATE_D64

}  // namespace ops::gemm_fp8
