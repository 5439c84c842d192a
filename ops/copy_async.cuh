#pragma once

#include <cstdint>

// Copies from global to shared memory that the thread does not wait for (PTX ISA: "cp.async").
namespace ops {

__device__ inline std::uint32_t shared_address(const void* pointer) {
  return static_cast<std::uint32_t>(__cvta_generic_to_shared(pointer));
}

// 16 bytes, or zeros when `inside` is false. The L2 is asked for the neighbouring line: the next k step needs it.
__device__ inline void copy_async(std::uint32_t shared, const void* global, bool inside) {
  asm volatile("cp.async.cg.shared.global.L2::256B [%0], [%1], 16, %2;\n" ::"r"(shared), "l"(global),
               "r"(inside ? 16 : 0)
               : "memory");
}
__device__ inline void copy_commit() {
  asm volatile("cp.async.commit_group;\n" ::: "memory");
}
// At most kPending groups of this thread are still under way afterwards.
template <int kPending>
__device__ inline void copy_wait() {
  asm volatile("cp.async.wait_group %0;\n" ::"n"(kPending) : "memory");
}

// Between what threads and cp.async did in shared memory, and what wgmma or a bulk copy does there: these go through
// another proxy (PTX ISA: "async proxy").
__device__ inline void fence_async_proxy() {
  asm volatile("fence.proxy.async.shared::cta;\n" ::: "memory");
}

}  // namespace ops
