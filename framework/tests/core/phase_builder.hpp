#pragma once

#include <boost/test/unit_test.hpp>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "core/attribution.hpp"

namespace opgate::core {

inline constexpr std::uint32_t kKind = 5;
inline constexpr std::uint32_t kNonce = 0x51;

// A phase in the words of its tests: kernel(4000, 6000, 10), label(10, 0). Everything lands in the last buffer.
class PhaseBuilder {
 public:
  PhaseBuilder() {
    records.buffers.emplace_back();
    records.names = {"cudaLaunchKernel", "cudaMemcpyAsync", "cudaMemsetAsync"};
    records.kernels = {{.name = "_Z10add_kernelPf"}, {.name = "sum"}};
    records.dropped = 0;
  }

  Record& kernel(std::int64_t start_ns, std::int64_t end_ns, std::uint32_t id, std::uint32_t info = 0,
                 std::uint32_t device = 0) {
    return add({.kind = RecordKind::kernel,
                .start_ns = start_ns,
                .end_ns = end_ns,
                .correlation_id = id,
                .device_id = device,
                .name = info});
  }
  Record& copy(std::int64_t start_ns, std::int64_t end_ns, std::uint32_t id, std::uint64_t bytes) {
    return add({.kind = RecordKind::memcpy,
                .start_ns = start_ns,
                .end_ns = end_ns,
                .correlation_id = id,
                .bytes = bytes,
                .copy_kind = 8});
  }
  Record& set(std::int64_t start_ns, std::int64_t end_ns, std::uint32_t id, std::uint64_t bytes) {
    return add(
        {.kind = RecordKind::memset, .start_ns = start_ns, .end_ns = end_ns, .correlation_id = id, .bytes = bytes});
  }
  Record& api(std::uint32_t id, std::uint32_t thread, std::uint32_t name = 0) {
    return add(
        {.kind = RecordKind::api, .start_ns = 1, .end_ns = 2, .correlation_id = id, .thread_id = thread, .name = name});
  }
  Record& label(std::uint32_t id, std::uint32_t iteration) { return external(id, external_id(kNonce, iteration)); }
  Record& external(std::uint32_t id, std::uint64_t value, std::uint32_t kind = kKind) {
    return add({.kind = RecordKind::external, .correlation_id = id, .external_kind = kind, .external_id = value});
  }

  [[nodiscard]] Reading read(int iterations, bool copies_allowed = false) const {
    return read_phase(records, {kKind, kNonce, iterations, copies_allowed});
  }

  PhaseRecords records;

 private:
  Record& add(Record record) { return records.buffers.back().emplace_back(std::move(record)); }
};

// Iteration i: opening probe, one kernel, closing probe, at i * 100 us.
struct Probed : PhaseBuilder {
  void iteration(std::uint32_t i, std::int64_t kernel_start_ns = 20'000, std::int64_t kernel_end_ns = 22'000) {
    const std::int64_t origin_ns = 1'000'000 + i * 100'000;
    const std::uint32_t id = 1 + 3 * i;
    kernel(origin_ns, origin_ns + 16'000, id, 1);
    label(id, kOpeningProbe | i);
    kernel(origin_ns + kernel_start_ns, origin_ns + kernel_end_ns, id + 1);
    label(id + 1, i);
    kernel(origin_ns + 24'000, origin_ns + 40'000, id + 2, 1);
    label(id + 2, kClosingProbe | i);
    records.stage.clocks.push_back({.cycles = 30'000, .time_ns = 20'000});
    records.stage.clocks.push_back({.cycles = 31'000, .time_ns = 20'000});
  }
};

// The one thing that keeps the reading from being a number.
inline const Issue& only_issue(const Reading& reading, ErrorKind kind) {
  BOOST_REQUIRE_EQUAL(reading.issues.size(), 1U);
  BOOST_TEST(static_cast<int>(reading.issues[0].kind) == static_cast<int>(kind));
  BOOST_TEST(reading.samples.empty());
  BOOST_TEST(!reading.issues[0].remedy.empty());
  return reading.issues[0];
}

inline bool says(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace opgate::core
