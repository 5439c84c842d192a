#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <utility>

#include "report/case_rows.hpp"

namespace opgate::report {
namespace {

struct Throttle {
  std::uint64_t bit;
  const char* name;
};

// nvml.h, nvmlClocksEventReason*; the idle bit is no throttling.
constexpr std::array<Throttle, 8> kThrottles{{{0x2, "application clocks"},
                                              {0x4, "software power cap"},
                                              {0x8, "hardware slowdown"},
                                              {0x10, "sync boost"},
                                              {0x20, "software thermal"},
                                              {0x40, "hardware thermal"},
                                              {0x80, "power brake"},
                                              {0x100, "display clocks"}}};
constexpr std::uint64_t kIdle = 0x1;

std::string throttle_text(std::uint64_t reasons) {
  std::vector<std::string> names;
  std::uint64_t unknown = reasons & ~kIdle;
  for (const Throttle& throttle : kThrottles) {
    if ((reasons & throttle.bit) != 0) {
      names.emplace_back(throttle.name);
      unknown &= ~throttle.bit;
    }
  }
  if (unknown != 0) {
    names.push_back(fmt::format("0x{:x}", unknown));
  }
  return names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", "));
}

// "41 -> 43", "43", or nothing.
template <class T, class Show>
std::optional<std::string> before_after(const std::optional<T>& before, const std::optional<T>& after, Show show) {
  if (before && after && show(*before) != show(*after)) {
    return fmt::format("{} -> {}", show(*before), show(*after));
  }
  return after ? std::optional(show(*after)) : before ? std::optional(show(*before)) : std::nullopt;
}

void add(std::vector<std::string>& parts, const char* format, const std::optional<std::string>& value) {
  if (value) {
    parts.push_back(fmt::format(fmt::runtime(format), *value));
  }
}

std::string clock_row(const core::Attempt& attempt, const Figures& figures) {
  const auto plain = [](auto value) { return fmt::format("{}", value); };
  const auto watts = [](std::int32_t milliwatts) { return fmt::format("{:.0f}", milliwatts / 1000.0); };
  std::vector<std::string> parts;
  if (figures.sm_mhz) {
    parts.push_back(fmt::format("SM {:.0f} MHz in calls", *figures.sm_mhz));
  }
  if (const auto corrected = clock_corrected_ns(figures, attempt.device.max_sm_mhz)) {
    parts.push_back(fmt::format("{} at {} MHz", duration_text(*corrected), attempt.device.max_sm_mhz));
  }
  add(parts, figures.sm_mhz ? "{} around" : "SM {} MHz",
      before_after(attempt.before.sm_mhz, attempt.after.sm_mhz, plain));
  add(parts, "memory {} MHz", before_after(attempt.before.memory_mhz, attempt.after.memory_mhz, plain));
  add(parts, "{} C", before_after(attempt.before.temperature_c, attempt.after.temperature_c, plain));
  add(parts, "{} W", before_after(attempt.before.power_mw, attempt.after.power_mw, watts));
  return parts.empty() ? std::string{} : open_row("clocks", fmt::format("{}", fmt::join(parts, ", ")));
}

std::string company_row(const core::Attempt& attempt) {
  std::vector<std::string> parts;
  add(parts, "throttled by: {}",
      before_after(attempt.before.throttle_reasons, attempt.after.throttle_reasons, throttle_text));
  std::vector<std::int32_t> others = attempt.before.other_processes;
  others.insert(others.end(), attempt.after.other_processes.begin(), attempt.after.other_processes.end());
  std::sort(others.begin(), others.end());
  others.erase(std::unique(others.begin(), others.end()), others.end());
  if (!others.empty()) {
    parts.push_back(fmt::format("other GPU processes: {}", fmt::join(others, ", ")));
  } else if (!parts.empty()) {
    parts.emplace_back("other GPU processes: none");  // the state was read
  }
  return parts.empty() ? std::string{} : open_row("", fmt::format("{}", fmt::join(parts, "; ")));
}

}  // namespace

std::string machine_rows(const core::Attempt& attempt, const Figures& figures) {
  return clock_row(attempt, figures) + company_row(attempt);
}

std::string time_rows(const core::Attempt& attempt) {
  if (attempt.wall_ns <= 0) {
    return {};
  }
  std::vector<std::pair<std::string, std::int64_t>> phases(attempt.phase_wall_ns.begin(), attempt.phase_wall_ns.end());
  std::stable_sort(phases.begin(), phases.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
  std::vector<std::string> parts;
  parts.reserve(phases.size());
  for (const auto& [phase, wall_ns] : phases) {
    parts.push_back(fmt::format("{} {}", phase, duration_text(static_cast<double>(wall_ns))));
  }
  const std::string total = duration_text(static_cast<double>(attempt.wall_ns));
  return open_row("wall time", parts.empty() ? total : fmt::format("{}: {}", total, fmt::join(parts, ", ")));
}

}  // namespace opgate::report
