#pragma once

#include <cstdint>

// wgmma.mma_async with both operands in shared memory (PTX ISA: "Asynchronous Warpgroup Level Matrix
// Multiply-Accumulate Instructions"). Compiles to nothing of use below sm_90a.
namespace opgate::measure {

#define OPGATE_R8(a, b) "%" a "0, %" a "1, %" a "2, %" a "3, %" a "4, %" a "5, %" a "6, %" a "7" b
#define OPGATE_R10(a) OPGATE_R8(a, ", %" a "8, %" a "9")
#define OPGATE_REGS \
  "{" OPGATE_R10("") ", " OPGATE_R10("1") ", " OPGATE_R10("2") ", " OPGATE_R10("3") ", " OPGATE_R10("4") ", "        \
  OPGATE_R10("5") ", " OPGATE_R10("6") ", " OPGATE_R10("7") ", " OPGATE_R10("8") ", " OPGATE_R10("9") ", "           \
  OPGATE_R10("10") ", " OPGATE_R10("11") ", " OPGATE_R8("12", "") "}"
#define OPGATE_D4(i) "+f"(d[i]), "+f"(d[(i) + 1]), "+f"(d[(i) + 2]), "+f"(d[(i) + 3])
#define OPGATE_D16(i) OPGATE_D4(i), OPGATE_D4((i) + 4), OPGATE_D4((i) + 8), OPGATE_D4((i) + 12)
#define OPGATE_D64(i) OPGATE_D16(i), OPGATE_D16((i) + 16), OPGATE_D16((i) + 32), OPGATE_D16((i) + 48)

// d (64 x 256, f32) = or += A (64 x 32 bytes) * B (256 x 32 bytes)^T, both K-major: 16 bf16 or 32 e4m3 of K.
template <bool kE4m3>
__device__ inline void wgmma_n256(float (&d)[128], std::uint64_t a, std::uint64_t b, int accumulate) {
  if constexpr (kE4m3) {
    asm volatile(
        "{\n.reg .pred p;\nsetp.ne.b32 p, %130, 0;\n"
        "wgmma.mma_async.sync.aligned.m64n256k32.f32.e4m3.e4m3 " OPGATE_REGS ", %128, %129, p, 1, 1;\n}\n"
        : OPGATE_D64(0), OPGATE_D64(64)
        : "l"(a), "l"(b), "r"(accumulate));
  } else {
    asm volatile(
        "{\n.reg .pred p;\nsetp.ne.b32 p, %130, 0;\n"
        "wgmma.mma_async.sync.aligned.m64n256k16.f32.bf16.bf16 " OPGATE_REGS ", %128, %129, p, 1, 1, 0, 0;\n}\n"
        : OPGATE_D64(0), OPGATE_D64(64)
        : "l"(a), "l"(b), "r"(accumulate));
  }
}

#undef OPGATE_R8
#undef OPGATE_R10
#undef OPGATE_REGS
#undef OPGATE_D4
#undef OPGATE_D16
#undef OPGATE_D64

// Of a K-major tile of 128-byte rows with the 128-byte swizzle: groups of 8 rows lie 1024 bytes apart. `address` is a
// multiple of 1024, plus 32 for each step of K inside the rows.
__device__ inline std::uint64_t tile_descriptor(std::uint32_t address) {
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
// The compiler takes d as ready where wgmma is issued: this keeps what reads it behind the wait. Without it ptxas makes
// every wgmma wait for the one before (C7514).
__device__ inline void pin(float (&d)[128]) {
#pragma unroll
  for (int i = 0; i < 128; ++i) asm volatile("" : "+f"(d[i])::"memory");
}
// wgmma reads shared memory through another proxy than the one that stores use.
__device__ inline void fence_async_proxy() {
  asm volatile("fence.proxy.async.shared::cta;\n" ::: "memory");
}

}  // namespace opgate::measure
