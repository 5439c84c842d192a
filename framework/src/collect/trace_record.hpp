#pragma once

#include <cstdint>

#include "collect/trace.hpp"
#include "text/json.hpp"

namespace opgate::collect {

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
