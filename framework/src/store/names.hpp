#pragma once

#include <string>

#include "core/verdict.hpp"
#include "opgate/bench.hpp"
#include "opgate/error.hpp"

namespace opgate::store {

// The words under which enumerations are stored and shown: "opgate-1", "cuda-events", "records_lost", ...
[[nodiscard]] const char* name_of(Protocol value);
[[nodiscard]] const char* name_of(Timing value);
[[nodiscard]] const char* name_of(Flush value);
[[nodiscard]] const char* name_of(Launch value);
[[nodiscard]] const char* name_of(ErrorKind value);
// Idle time per duration of the call: "none", "1", "0.5".
[[nodiscard]] std::string pacing_name(double pacing);

// How a reading was taken, in words; "" where an import does not say.
struct Method {
  std::string protocol, timing, flush, launch;
};
[[nodiscard]] Method method_of(const core::ImplementationResult& implementation);
inline constexpr const char* kUnknown = "unknown";  // stands for "" where it is stored and shown

// Error(history) for a word that is none of them.
[[nodiscard]] Protocol parse_protocol(const std::string& name);
[[nodiscard]] Timing parse_timing(const std::string& name);
[[nodiscard]] Flush parse_flush(const std::string& name);
[[nodiscard]] Launch parse_launch(const std::string& name);
[[nodiscard]] ErrorKind parse_error_kind(const std::string& name);
[[nodiscard]] core::Verdict parse_verdict(const std::string& name);
[[nodiscard]] core::Metric parse_metric(const std::string& name);
[[nodiscard]] core::ExitCode parse_exit_code(std::int64_t code);

}  // namespace opgate::store
