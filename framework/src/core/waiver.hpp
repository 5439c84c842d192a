#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace opgate::core {

// A regression that its owner answers for until a day: still measured and judged, but not red.
struct Waiver {
  std::string case_name;
  std::string device;  // model; empty: every model
  std::string owner;
  std::string reason;
  std::string expires;  // its last day, "2026-12-31", UTC
  bool operator==(const Waiver&) const = default;
};

// "2026-12-31", a day that exists.
[[nodiscard]] bool is_date(std::string_view text);
[[nodiscard]] std::string date_of(std::int64_t unix_ms);  // UTC
[[nodiscard]] bool in_force(const Waiver& waiver, const std::string& today);

}  // namespace opgate::core
