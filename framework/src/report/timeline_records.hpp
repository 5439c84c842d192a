#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "collect/trace.hpp"
#include "core/intervals.hpp"
#include "core/label_map.hpp"

namespace opgate::report {

// A record that can be drawn, with whose work it is.
struct PlacedRecord {
  const core::Record* record = nullptr;
  core::Label::Kind label = core::Label::Kind::none;
  std::optional<std::uint32_t> iteration;

  [[nodiscard]] bool on_device() const noexcept { return record->kind != core::RecordKind::api; }
};

struct PlacedRecords {
  std::vector<PlacedRecord> all;   // calls of the API and work of devices, by start
  std::int64_t without_times = 0;  // and those that cannot be drawn
};

// Flush and reset belong to the iteration after them, of which their label says nothing.
[[nodiscard]] PlacedRecords place_records(const collect::TracePhase& phase, std::uint32_t external_kind);

// Of one iteration, whatever it launched, by device.
struct IterationWork {
  std::uint32_t iteration = 0;
  std::vector<PlacedRecord> records;
  core::Interval extent;

  // Sorted work of the call; the devices that ran some; its busy time on the device that was busy longest.
  [[nodiscard]] std::vector<core::Interval> call_on(std::uint32_t device) const;
  [[nodiscard]] std::vector<std::uint32_t> call_devices() const;
  [[nodiscard]] std::int64_t busy_ns() const;
};
[[nodiscard]] std::vector<IterationWork> by_iteration(const PlacedRecords& placed);

}  // namespace opgate::report
