#include "measure/recorded_stage.hpp"

#include <fmt/format.h>

namespace opgate::measure {

double RecordingStage::time_calls_ns(int calls, const std::function<void()>& body) {
  calibrations_ns_.push_back(inner_.time_calls_ns(calls, body));
  return calibrations_ns_.back();
}

double RecordedStage::time_calls_ns(int /*calls*/, const std::function<void()>& /*body*/) {
  if (next_ == calibrations_ns_.size()) {
    throw Error(ErrorKind::trace, fmt::format("the trace holds {} calibrations, one more is asked for", next_),
                "replay", "record the trace again with --record");
  }
  return calibrations_ns_[next_++];
}

std::int64_t RecordedStage::time_one_ns(const std::function<void()>& /*body*/) {
  throw Error(ErrorKind::trace, "a trace holds activity records, no event times", "replay",
              "replay with --timing cupti, which traces are recorded with");
}

}  // namespace opgate::measure
