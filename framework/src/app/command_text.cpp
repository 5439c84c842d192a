#include "app/command_text.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>

namespace opgate::app {

std::string milliseconds(std::optional<double> ns) {
  return ns ? fmt::format("{:.6f} ms", *ns / 1e6) : "-";
}

std::string percent(std::optional<double> value) {
  return value ? fmt::format("{:.2f} %", *value) : "-";
}

std::string change(std::optional<double> value) {
  return value ? fmt::format("{:+.2f} %", *value) : "-";
}

std::string utc(std::int64_t unix_ms) {
  const auto seconds = static_cast<std::time_t>(unix_ms / 1000);
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(seconds));
}

std::string plural(std::size_t count, std::string_view singular) {
  return fmt::format("{} {}{}", count, singular, count == 1 ? "" : "s");
}

std::string joined(const std::vector<std::string>& words, std::string_view separator) {
  return fmt::format("{}", fmt::join(words, separator));
}

std::string table(const std::vector<std::vector<std::string>>& rows) {
  std::vector<std::size_t> widths;
  for (const auto& row : rows) {
    widths.resize(std::max(widths.size(), row.size()));
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  }
  std::string text;
  for (const auto& row : rows) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) {
      line += i + 1 == row.size() ? row[i] : fmt::format("{:<{}}  ", row[i], widths[i]);
    }
    line.resize(line.find_last_not_of(' ') + 1);  // an empty last cell leaves blanks
    text += line + '\n';
  }
  return text;
}

}  // namespace opgate::app
