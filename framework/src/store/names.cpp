#include "store/names.hpp"

#include <fmt/format.h>

#include <array>
#include <cstddef>

namespace opgate::store {
namespace {

// In the order of the enumerators.
constexpr std::array kProtocols{"opgate-1", "method-1"};
constexpr std::array kTimings{"cupti", "cuda-events"};
constexpr std::array kFlushes{"read", "memset", "none"};
constexpr std::array kLaunches{"direct", "queued"};
constexpr std::array kErrorKinds{"usage",
                                 "spec",
                                 "baseline",
                                 "history",
                                 "trace",
                                 "io",
                                 "device",
                                 "cuda",
                                 "cupti",
                                 "op",
                                 "wrong_result",
                                 "records_lost",
                                 "off_thread_launch",
                                 "attribution",
                                 "timestamps_lost",
                                 "unproven",
                                 "unmeasured_copies",
                                 "impossible"};
static_assert(kErrorKinds.size() == static_cast<std::size_t>(ErrorKind::impossible) + 1);

constexpr std::array kVerdicts{core::Verdict::pass,         core::Verdict::regressed,   core::Verdict::improved,
                               core::Verdict::inconclusive, core::Verdict::no_baseline, core::Verdict::not_comparable};
constexpr std::array kMetrics{core::Metric::time, core::Metric::cycles};
constexpr std::array kExitCodes{core::ExitCode::pass,         core::ExitCode::regression,  core::ExitCode::untrusted,
                                core::ExitCode::cannot_run,   core::ExitCode::no_baseline, core::ExitCode::wrong_result,
                                core::ExitCode::inconclusive, core::ExitCode::usage,       core::ExitCode::skipped};

[[noreturn]] void unknown(const char* what, const std::string& name) {
  throw Error(ErrorKind::history, fmt::format("the history holds the unknown {} \"{}\"", what, name), {},
              "restore a copy made by `opgate backup`");
}

template <class Enum, std::size_t N>
Enum parse(const std::array<const char*, N>& names, const char* what, const std::string& name) {
  for (std::size_t i = 0; i < N; ++i) {
    if (name == names[i]) {
      return static_cast<Enum>(i);
    }
  }
  unknown(what, name);
}

template <class Enum, std::size_t N>
Enum parse_core(const std::array<Enum, N>& values, const char* what, const std::string& name) {
  for (const Enum value : values) {
    if (name == core::to_string(value)) {
      return value;
    }
  }
  unknown(what, name);
}

}  // namespace

const char* name_of(Protocol value) {
  return kProtocols.at(static_cast<std::size_t>(value));
}
const char* name_of(Timing value) {
  return kTimings.at(static_cast<std::size_t>(value));
}
const char* name_of(Flush value) {
  return kFlushes.at(static_cast<std::size_t>(value));
}
const char* name_of(Launch value) {
  return kLaunches.at(static_cast<std::size_t>(value));
}
const char* name_of(ErrorKind value) {
  return kErrorKinds.at(static_cast<std::size_t>(value));
}

std::string pacing_name(double pacing) {
  return pacing > 0 ? fmt::format("{}", pacing) : "none";
}

Method method_of(const core::ImplementationResult& implementation) {
  if (const auto& imported = implementation.imported) {
    return {imported->protocol, imported->timing, imported->flush, imported->launch};
  }
  const Measurement& m = implementation.measurement;
  return {name_of(m.protocol), name_of(m.timing), name_of(m.flush), name_of(m.launch)};
}

Protocol parse_protocol(const std::string& name) {
  return parse<Protocol>(kProtocols, "protocol", name);
}
Timing parse_timing(const std::string& name) {
  return parse<Timing>(kTimings, "timing", name);
}
Flush parse_flush(const std::string& name) {
  return parse<Flush>(kFlushes, "flush", name);
}
Launch parse_launch(const std::string& name) {
  return parse<Launch>(kLaunches, "launch mode", name);
}
ErrorKind parse_error_kind(const std::string& name) {
  return parse<ErrorKind>(kErrorKinds, "error kind", name);
}
core::Verdict parse_verdict(const std::string& name) {
  return parse_core(kVerdicts, "verdict", name);
}
core::Metric parse_metric(const std::string& name) {
  return parse_core(kMetrics, "metric", name);
}

core::ExitCode parse_exit_code(std::int64_t code) {
  for (const core::ExitCode value : kExitCodes) {
    if (static_cast<std::int64_t>(value) == code) {
      return value;
    }
  }
  unknown("exit code", std::to_string(code));
}

}  // namespace opgate::store
