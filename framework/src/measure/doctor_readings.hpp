#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "core/probe_checks.hpp"

namespace opgate::measure {

// What a reading is to do wrong, on the real device, so that its check is seen to fail.
enum class Fault : std::uint8_t {
  none,
  dirty_flush,     // the flush is a memset
  hot_cache,       // there is no flush
  stuck_counter,   // no record is lost, so the drop counter stays at 0
  wrong_tick,      // timestamps are coarsened to 100 ns
  second_process,  // another process computes on the GPU
};
[[nodiscard]] std::optional<Fault> parse_fault(std::string_view name);  // "dirty-flush", ...; "" is none

// Tracing must be on. All throw what bench() throws.
[[nodiscard]] std::vector<std::int64_t> read_varied_durations(Fault fault);
[[nodiscard]] core::DropCounterReading read_drop_counter(Fault fault);
[[nodiscard]] core::FlushReading read_flush(Fault fault);
[[nodiscard]] std::vector<core::FlushRow> read_flush_table(Fault fault);
[[nodiscard]] core::CyclesReading read_cycles();
[[nodiscard]] core::ImmunityReading read_host_immunity();

}  // namespace opgate::measure
