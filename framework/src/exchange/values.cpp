#include "exchange/values.hpp"

#include <fmt/format.h>

#include <charconv>
#include <chrono>
#include <cmath>
#include <string>

namespace opgate::exchange {

namespace {

template <class Number>
std::optional<Number> whole(std::string_view text) {
  Number value{};
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (problem != std::errc() || end != text.data() + text.size() || text.empty()) return std::nullopt;
  return value;
}

// Takes `digits` digits off the front.
std::optional<int> take_digits(std::string_view& text, std::size_t digits) {
  if (text.size() < digits || text.find_first_not_of("0123456789") < digits) return std::nullopt;
  const auto value = whole<int>(text.substr(0, digits));
  text.remove_prefix(digits);
  return value;
}

bool take(std::string_view& text, std::string_view any_of) {
  if (text.empty() || any_of.find(text.front()) == std::string_view::npos) return false;
  text.remove_prefix(1);
  return true;
}

// ".119043" -> 119; what follows a third digit is cut.
std::int64_t take_fraction_ms(std::string_view& text) {
  std::int64_t ms = 0;
  std::int64_t weight = 100;
  while (!text.empty() && text.front() >= '0' && text.front() <= '9') {
    ms += weight * (text.front() - '0');
    weight /= 10;
    text.remove_prefix(1);
  }
  return ms;
}

// "Z", "", "+02:00", "+0200"
std::optional<std::chrono::minutes> zone_of(std::string_view text) {
  if (text.empty() || text == "Z") return std::chrono::minutes(0);
  const int sign = text.front() == '-' ? -1 : 1;
  if (!take(text, "+-")) return std::nullopt;
  const auto hours = take_digits(text, 2);
  static_cast<void>(take(text, ":"));
  const auto minutes = take_digits(text, 2);
  if (!hours || !minutes || !text.empty() || *hours > 23 || *minutes > 59) return std::nullopt;
  return std::chrono::minutes(sign * (*hours * 60 + *minutes));
}

}  // namespace

std::optional<double> scaled(std::string_view text, int power) {
  constexpr std::size_t kLongest = 400;  // no double needs more
  const std::size_t first = text.starts_with('-') ? 1 : 0;
  if (text.size() <= first || text.size() > kLongest || text[first] < '0' || text[first] > '9') return std::nullopt;
  const std::size_t e = text.find_first_of("eE");
  std::string_view exponent = e == std::string_view::npos ? std::string_view("0") : text.substr(e + 1);
  if (exponent.starts_with('+')) exponent.remove_prefix(1);
  const auto given = whole<int>(exponent);
  if (!given || std::abs(*given) > 10'000) return std::nullopt;
  const auto value = whole<double>(fmt::format("{}e{}", text.substr(0, e), *given + power));
  if (!value || !std::isfinite(*value)) return std::nullopt;
  return value;
}

std::optional<double> scaled(double value, int power) {
  return scaled(fmt::format("{}", value), power);
}

std::optional<std::int64_t> integer(std::string_view text) {
  return whole<std::int64_t>(text);
}

bool is_duration(double ns) noexcept {
  return std::isfinite(ns) && std::abs(ns) < 0x1p63;
}

std::optional<int> power_of_unit(std::string_view unit) {
  if (unit == "ns") return 0;
  if (unit == "us") return 3;
  if (unit == "ms") return 6;
  if (unit == "s") return 9;
  return std::nullopt;
}

std::optional<std::int64_t> unix_ms_of(std::string_view text) {
  namespace chrono = std::chrono;
  const auto year = take_digits(text, 4);
  const bool dash_1 = take(text, "-");
  const auto month = take_digits(text, 2);
  const bool dash_2 = take(text, "-");
  const auto day = take_digits(text, 2);
  const bool t = take(text, "T ");
  const auto hour = take_digits(text, 2);
  const bool colon_1 = take(text, ":");
  const auto minute = take_digits(text, 2);
  const bool colon_2 = take(text, ":");
  const auto second = take_digits(text, 2);
  if (!year || !month || !day || !hour || !minute || !second) return std::nullopt;
  if (!dash_1 || !dash_2 || !t || !colon_1 || !colon_2) return std::nullopt;
  const std::int64_t fraction = take(text, ".,") ? take_fraction_ms(text) : 0;
  const auto zone = zone_of(text);
  const chrono::year_month_day date{chrono::year(*year), chrono::month(static_cast<unsigned>(*month)),
                                    chrono::day(static_cast<unsigned>(*day))};
  if (!zone || !date.ok() || *hour > 23 || *minute > 59 || *second > 60) return std::nullopt;
  const auto time = chrono::sys_days(date) + chrono::hours(*hour) + chrono::minutes(*minute) +
                    chrono::seconds(*second) + chrono::milliseconds(fraction) - *zone;
  return chrono::duration_cast<chrono::milliseconds>(time.time_since_epoch()).count();
}

}  // namespace opgate::exchange
