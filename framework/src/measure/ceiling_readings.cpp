#include "measure/ceiling_readings.hpp"

#include <cuda_runtime_api.h>

#include <cstddef>
#include <utility>
#include <vector>

#include "core/figures.hpp"
#include "core/statistics.hpp"
#include "measure/cuda_check.hpp"
#include "opgate/bench.hpp"

namespace opgate::measure {
namespace {

constexpr int kTurns = 5;
constexpr int kIterations = 30;
// Eight times the L2 of an H200, so that what stays in it counts for little.
constexpr std::size_t kCopyBytes = std::size_t{512} << 20U;
constexpr std::uint32_t kSeed = 20;

void add(core::CeilingReading& reading, const Callable& run) {
  BenchOptions options;
  options.iterations = kIterations;
  const core::SampleFigures figures = core::sample_figures(bench(run, options));
  if (!figures.busy_ns) throw Error(ErrorKind::attribution, "there are no samples", "ceiling");
  reading.medians_ns.push_back(*figures.busy_ns);
  if (figures.sm_mhz) reading.sm_mhz.push_back(*figures.sm_mhz);
}

// The last bytes are written by the last block.
void check_copied(const DeviceArray& from, const DeviceArray& to) {
  constexpr std::size_t kLooked = 1 << 20;
  for (const std::size_t at : {std::size_t{0}, from.bytes() - kLooked}) {
    std::vector<std::byte> read(kLooked);
    std::vector<std::byte> written(kLooked);
    check_cuda(
        cudaMemcpy(read.data(), static_cast<const std::byte*>(from.data()) + at, kLooked, cudaMemcpyDeviceToHost),
        "cudaMemcpy");
    check_cuda(
        cudaMemcpy(written.data(), static_cast<const std::byte*>(to.data()) + at, kLooked, cudaMemcpyDeviceToHost),
        "cudaMemcpy");
    if (read != written) {
      throw Error(ErrorKind::wrong_result, "the copy differs from what was copied", "ceiling.copy",
                  "look for errors of the GPU with nvidia-smi -q and dmesg");
    }
  }
}

core::CeilingReading read_copy(bool stream_hint) {
  core::CeilingReading reading{.work = 2.0 * static_cast<double>(kCopyBytes)};
  for (int turn = 0; turn < kTurns; ++turn) {
    const DeviceArray from(kCopyBytes);
    const DeviceArray to(kCopyBytes);
    launch_fill(from.data(), from.bytes(), kSeed + static_cast<std::uint32_t>(turn), nullptr);
    check_cuda(cudaMemset(to.data(), 0, to.bytes()), "cudaMemset");
    check_cuda(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
    add(reading, [&](Stream stream) { launch_wide_copy(from.data(), to.data(), from.bytes(), stream_hint, stream); });
    check_copied(from, to);
  }
  return reading;
}

}  // namespace

// Whether marking the data as used once helps differs between devices; a ceiling is what the better way does.
core::CeilingReading read_copy_ceiling() {
  core::CeilingReading plain = read_copy(false);
  core::CeilingReading hinted = read_copy(true);
  const bool better =
      core::median(std::vector<double>(hinted.medians_ns)) < core::median(std::vector<double>(plain.medians_ns));
  return better ? std::move(hinted) : std::move(plain);
}

core::CeilingReading read_tensor_ceiling(TensorType type) {
  core::CeilingReading reading;
  reading.dtype = type == TensorType::bf16 ? "bf16" : "f8e4m3";
  for (int turn = 0; turn < kTurns; ++turn) {
    const TensorLoop loop(type, kSeed + static_cast<std::uint32_t>(turn));
    reading.work = loop.flops();
    add(reading, [&](Stream stream) { loop.run(stream); });
    loop.check();
  }
  return reading;
}

}  // namespace opgate::measure
