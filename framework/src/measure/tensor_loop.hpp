#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "measure/device_ops.hpp"
#include "opgate/op.hpp"

namespace opgate::measure {

enum class TensorType : std::uint8_t { bf16, e4m3 };

// A loop of wgmma (m64n256, operands in shared memory, sums in f32) on every SM of the current device, which must be of
// compute capability 9.0: what its tensor cores do at most. The operands are random, because zeros draw less power.
class TensorLoop {
 public:
  TensorLoop(TensorType type, std::uint32_t seed);

  void run(Stream stream) const;
  [[nodiscard]] double flops() const noexcept;  // of one run: 2 for each product and its sum

  // Error(device) when opgate_probe holds no code for the tensor cores, Error(wrong_result) when the last run's sums
  // are not those of its operands on every SM.
  void check() const;

  // Of one pass, over all of K; each run makes many.
  static constexpr int kRows = 128;      // of A: two warpgroups
  static constexpr int kColumns = 256;   // of B
  static constexpr int kRowBytes = 512;  // of K: 256 bf16 or 512 e4m3

 private:
  [[nodiscard]] std::vector<float> expected() const;

  TensorType type_;
  int blocks_ = 0;
  std::vector<std::uint8_t> a_;  // rows of kRowBytes
  std::vector<std::uint8_t> b_;
  DeviceArray operands_;  // a_, then b_
  DeviceArray sums_;      // kRows x kColumns, of the first block
  DeviceArray marks_;     // a word a thread: its sums, hashed
};

// Bits that are all in use, so that neither memory nor what moves it sees a constant; `bytes` is a multiple of 16.
void launch_fill(void* to, std::size_t bytes, std::uint32_t seed, Stream stream);
// Reads and writes `bytes`, a multiple of 16 KiB, in vectors of 16 bytes; `stream_hint` marks them as used once.
void launch_wide_copy(const void* from, void* to, std::size_t bytes, bool stream_hint, Stream stream);

}  // namespace opgate::measure
