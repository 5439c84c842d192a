#pragma once

#include <cstdint>

#include "collect/trace.hpp"
#include "text/json.hpp"

namespace opgate::collect {

// A time that a trace has from its phase's origin on; wraps around as the writer does.
[[nodiscard]] std::int64_t with_origin(const text::Json& json, std::int64_t origin);

// Reads the records of one phase, whose names and kernels are already there.
class RecordReader {
 public:
  RecordReader(const TracePhase& phase, std::int64_t origin_ns) : phase_(phase), origin_(origin_ns) {}
  [[nodiscard]] core::Record read(const text::Json& json) const;

 private:
  const TracePhase& phase_;
  std::int64_t origin_;
};

}  // namespace opgate::collect
