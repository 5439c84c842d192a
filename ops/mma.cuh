#pragma once

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cstdint>
#include <type_traits>

// One warp's tensor-core instructions (PTX ISA: "mma.m16n8k16", "ldmatrix", "stmatrix").
namespace ops {

// d (16 x 8, f32) += a (16 x 16) * b (16 x 8). With row = lane / 4 and pair = lane % 4 * 2 a lane holds
//   d: [row][pair, pair + 1], [row + 8][pair, pair + 1]
//   a: [row][pair..], [row + 8][pair..], [row][pair + 8..], [row + 8][pair + 8..];  b: [pair..][row], [pair + 8..][row]
template <class T>
__device__ inline void mma(float (&d)[4], unsigned a0, unsigned a1, unsigned a2, unsigned a3, unsigned b0,
                           unsigned b1) {
  static_assert(std::is_same_v<T, __half> || std::is_same_v<T, __nv_bfloat16>);
  if constexpr (std::is_same_v<T, __half>) {
    asm volatile(
        "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};\n"
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
        : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "r"(b0), "r"(b1));
  } else {
    asm volatile(
        "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};\n"
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
        : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "r"(b0), "r"(b1));
  }
}

// Four 8 x 8 matrices of 16 bits; lanes 8 i to 8 i + 7 give the addresses of the rows of matrix i, of 16 bytes each.
// Afterwards r[i] holds [lane / 4][lane % 4 * 2, + 1] of matrix i.
__device__ inline void load_matrices(unsigned (&r)[4], std::uint32_t row_address) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];\n"
               : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
               : "r"(row_address)
               : "memory");
}
// The same, each matrix transposed.
__device__ inline void load_matrices_transposed(unsigned (&r)[4], std::uint32_t row_address) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0,%1,%2,%3}, [%4];\n"
               : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
               : "r"(row_address)
               : "memory");
}

// The way back: matrix i is r[i] of all lanes.
__device__ inline void store_matrices(std::uint32_t row_address, const unsigned (&r)[4]) {
  asm volatile("stmatrix.sync.aligned.m8n8.x4.shared.b16 [%0], {%1,%2,%3,%4};\n" ::"r"(row_address), "r"(r[0]),
               "r"(r[1]), "r"(r[2]), "r"(r[3])
               : "memory");
}

// Two values rounded into one register, the first in the lower half.
template <class T>
__device__ inline unsigned pack(float low, float high) {
  static_assert(std::is_same_v<T, __half> || std::is_same_v<T, __nv_bfloat16>);
  unsigned word;
  if constexpr (std::is_same_v<T, __half>) {
    const __half2 pair = __floats2half2_rn(low, high);
    word = *reinterpret_cast<const unsigned*>(&pair);
  } else {
    const __nv_bfloat162 pair = __floats2bfloat162_rn(low, high);
    word = *reinterpret_cast<const unsigned*>(&pair);
  }
  return word;
}

}  // namespace ops
