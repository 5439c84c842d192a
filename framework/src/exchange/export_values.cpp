#include "exchange/export_values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <ctime>

#include "text/json_write.hpp"

namespace opgate::exchange {

std::string exact(double value) {
  return fmt::format("{}", value);
}

std::string exact_ms(double ns) {
  constexpr std::size_t kPlaces = 6;
  std::string digits = exact(ns);
  if (digits.find_first_not_of("0123456789.") != std::string::npos) {
    return digits + "e-6";  // negative or huge; "1e+20e-6" cannot come: durations are below 2^63
  }
  std::size_t point = digits.find('.');
  if (point == std::string::npos) {
    point = digits.size();
  } else {
    digits.erase(point, 1);
  }
  if (point <= kPlaces) {
    digits.insert(0, kPlaces + 1 - point, '0');
    point = kPlaces + 1;
  }
  std::string fraction = digits.substr(point - kPlaces);
  fraction.erase(fraction.find_last_not_of('0') + 1);
  return digits.substr(0, point - kPlaces) + (fraction.empty() ? "" : "." + fraction);
}

std::string iso_8601(std::int64_t unix_ms) {
  const auto seconds = static_cast<std::time_t>(unix_ms / 1000);
  std::tm parts{};
  ::gmtime_r(&seconds, &parts);
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}.{:03}+00:00", parts.tm_year + 1900, parts.tm_mon + 1,
                     parts.tm_mday, parts.tm_hour, parts.tm_min, parts.tm_sec, unix_ms % 1000);
}

std::string printable(std::string_view text) {
  const bool readable = text::is_utf8(text);
  std::string out(text);
  for (char& letter : out) {
    const auto code = static_cast<unsigned char>(letter);
    if ((code < 0x20 && letter != '\n' && letter != '\t') || code == 0x7F) letter = ' ';
    if (!readable && code >= 0x80) letter = '?';
  }
  return out;
}

std::string reason_of(const store::CaseResult& result) {
  if (result.judgement && !result.judgement->reason.empty()) return result.judgement->reason;
  if (!result.attempts.empty() && !result.attempts.back().message.empty()) return result.attempts.back().message;
  return result.exit_code ? core::meaning(*result.exit_code) : "opened and never closed";
}

const core::Attempt* measured_attempt(const store::CaseResult& result) {
  const auto found = std::find_if(result.attempts.begin(), result.attempts.end(), [](const core::Attempt& attempt) {
    return attempt.status == core::Status::measured;
  });
  return found == result.attempts.end() ? nullptr : &*found;
}

}  // namespace opgate::exchange
