#pragma once

#include <cstdint>

#include "copy_async.cuh"

// Copies of whole rows from global to shared memory that threads ask for and a barrier in shared memory counts the
// bytes of (PTX ISA: "cp.async.bulk", "mbarrier"). They take no registers while they are under way.
namespace ops {

inline constexpr int kBulkBytes = 16;  // addresses and sizes are multiples of it

[[nodiscard]] inline bool bulk_aligned(const void* pointer) {
  return reinterpret_cast<std::uintptr_t>(pointer) % kBulkBytes == 0;
}

// A phase of it ends when one thread has announced its bytes and they have all arrived; the phases are even and odd in
// turn, the first is even.
class BulkBarrier {
 public:
  // By one thread, which may fill at once; the others wait() after the next __syncthreads().
  __device__ void init() {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;\n" ::"r"(shared_address(&state_)) : "memory");
    asm volatile("fence.mbarrier_init.release.cluster;\n" ::: "memory");  // before a copy counts on it
  }

  // By one thread; any may copy once it has.
  __device__ void expect(int bytes) {
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;\n" ::"r"(shared_address(&state_)), "r"(bytes)
                 : "memory");
  }

  __device__ void copy(void* shared, const void* global, int bytes) {
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];\n" ::"r"(
                     shared_address(shared)),
                 "l"(global), "r"(bytes), "r"(shared_address(&state_))
                 : "memory");
  }

  // By every thread that reads: until the phase of this parity has ended.
  __device__ void wait(unsigned parity) {
    std::uint32_t ended = 0;
    while (ended == 0) {
      asm volatile(
          "{\n.reg .pred p;\n"
          "mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2;\n"
          "selp.u32 %0, 1, 0, p;\n}\n"
          : "=r"(ended)
          : "r"(shared_address(&state_)), "r"(parity)
          : "memory");
    }
  }

 private:
  std::uint64_t state_;
};

}  // namespace ops
