#include "core/waiver.hpp"

#include <fmt/format.h>

#include <charconv>
#include <chrono>

#include "core/verdict.hpp"

namespace opgate::core {
namespace {

// Of digits alone; -1 for any other text.
int number_in(std::string_view digits) {
  int value = -1;
  const bool plain = digits.find_first_not_of("0123456789") == std::string_view::npos;
  const auto [end, problem] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  return plain && problem == std::errc() && end == digits.data() + digits.size() ? value : -1;
}

}  // namespace

bool is_date(std::string_view text) {
  if (text.size() != 10 || text[4] != '-' || text[7] != '-') {
    return false;
  }
  const int year = number_in(text.substr(0, 4));
  const int month = number_in(text.substr(5, 2));
  const int day = number_in(text.substr(8, 2));
  if (year < 0 || month < 0 || day < 0) {
    return false;
  }
  return std::chrono::year_month_day(std::chrono::year(year), std::chrono::month(static_cast<unsigned>(month)),
                                     std::chrono::day(static_cast<unsigned>(day)))
      .ok();
}

std::string date_of(std::int64_t unix_ms) {
  const std::chrono::sys_time<std::chrono::milliseconds> moment{std::chrono::milliseconds(unix_ms)};
  const std::chrono::year_month_day date(std::chrono::floor<std::chrono::days>(moment));
  return fmt::format("{:04}-{:02}-{:02}", static_cast<int>(date.year()), static_cast<unsigned>(date.month()),
                     static_cast<unsigned>(date.day()));
}

bool in_force(const Waiver& waiver, const std::string& today) {
  return today <= waiver.expires;  // both as YYYY-MM-DD, which sorts by time
}

Judgement waive(Judgement judgement, const std::optional<Waiver>& waiver, const std::string& today) {
  const bool red = judgement.verdict == Verdict::regressed || judgement.verdict == Verdict::inconclusive;
  if (!waiver || !red) {
    return judgement;
  }
  if (in_force(*waiver, today)) {
    judgement.waiver = waiver;
  } else {
    judgement.notes.push_back(
        fmt::format("the waiver of {} ended on {}: {}", waiver->owner, waiver->expires, waiver->reason));
  }
  return judgement;
}

}  // namespace opgate::core
