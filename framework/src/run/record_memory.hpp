#pragma once

#include <cstddef>
#include <string>

#include "collect/trace.hpp"

namespace opgate::run {

// A worker's records grow no further than this; whoever needs more asks for them by --record.
inline constexpr std::size_t kMostKeptRecords = 200'000;

// Memory in which a worker leaves its records for the supervisor, who alone knows in the end whether anybody wants to
// see them. It is gone with both of them, however they end.
class RecordMemory {
 public:
  RecordMemory();
  RecordMemory(RecordMemory&& other) noexcept;
  RecordMemory& operator=(RecordMemory&&) = delete;
  RecordMemory(const RecordMemory&) = delete;
  RecordMemory& operator=(const RecordMemory&) = delete;
  ~RecordMemory();

  [[nodiscard]] int descriptor() const noexcept { return descriptor_; }  // below 0: the system has none left
  // A trace, or "" when the worker left none: it died before, measured nothing, or had too many records.
  [[nodiscard]] std::string take() const;

 private:
  int descriptor_ = -1;
};

// In the worker; never throws. Nothing is left of a trace that is too long or cannot be written whole.
void leave_records(int descriptor, const collect::Trace& trace);

}  // namespace opgate::run
