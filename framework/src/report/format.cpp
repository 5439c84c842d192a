#include "report/format.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "text/clear_error.hpp"

namespace opgate::report {
namespace {

constexpr std::size_t kLabelWidth = 12;

std::string label_text(std::string_view label) {
  return fmt::format("  {:<{}}", label, kLabelWidth);
}

// Digits behind the point that make four in all.
int decimals_for(double magnitude) {
  return magnitude < 10 ? 3 : magnitude < 100 ? 2 : magnitude < 1000 ? 1 : 0;
}

void append_wrapped(std::string& out, std::string_view line, std::string_view indent, std::size_t width) {
  std::size_t column = indent.size();
  bool first = true;
  while (!line.empty()) {
    const std::size_t end = std::min(line.find(' '), line.size());
    const std::string_view word = line.substr(0, end);
    line.remove_prefix(std::min(end + 1, line.size()));
    if (word.empty()) {
      continue;
    }
    if (!first && column + 1 + word.size() > width) {
      out += fmt::format("\n{}", indent);
      column = indent.size();
      first = true;
    }
    out += first ? "" : " ";
    out += word;
    column += word.size() + (first ? 0 : 1);
    first = false;
  }
}

}  // namespace

std::string four_digits(double value) {
  return fmt::format("{:.{}f}", value, decimals_for(std::fabs(value)));
}

std::string duration_text(double ns) {
  struct Unit {
    double ns;
    const char* name;
  };
  constexpr std::array<Unit, 3> kUnits{Unit{1e3, "us"}, Unit{1e6, "ms"}, Unit{1e9, "s"}};
  if (std::fabs(ns) < 1e3) {
    return fmt::format("{:.{}f} ns", ns, ns == std::floor(ns) ? 0 : 1);
  }
  for (const Unit& unit : kUnits) {
    // 999.96 us would round to "1000.0 us".
    if (std::fabs(ns) / unit.ns < 999.95) {
      return fmt::format("{} {}", four_digits(ns / unit.ns), unit.name);
    }
  }
  return fmt::format("{:.0f} s", ns / 1e9);
}

std::string change_text(double percent) {
  return fmt::format("{:+.{}f} %", percent, std::fabs(percent) < 1 ? 2 : 1);
}

std::string percent_text(double percent) {
  return fmt::format("{:.{}f} %", percent, std::fabs(percent) < 1 ? 2 : 1);
}

std::string bytes_text(std::int64_t bytes) {
  constexpr std::array kUnits{"B", "KiB", "MiB", "GiB"};
  std::size_t unit = 0;
  while (unit + 1 < kUnits.size() && bytes >= 1024 && bytes % 1024 == 0) {
    bytes /= 1024;
    ++unit;
  }
  return fmt::format("{} {}", bytes, kUnits.at(unit));
}

std::string number_text(double value) {
  return fmt::format("{}", value);
}

std::string count_text(std::size_t count, std::string_view singular) {
  return fmt::format("{} {}{}", count, singular, count == 1 ? "" : "s");
}

std::string open_row(std::string_view label, std::string_view text) {
  std::string out = label_text(label);
  const std::string indent(kLabelWidth + 2, ' ');
  for (bool first = true; first || !text.empty(); first = false) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    out += first ? "" : "\n" + indent;
    out += text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out + "\n";
}

std::string fitted(std::string_view rows, std::size_t width) {
  const std::string indent(kLabelWidth + 2, ' ');
  std::string out;
  while (!rows.empty()) {
    const std::size_t end = std::min(rows.find('\n'), rows.size());
    const std::string_view line = rows.substr(0, end);
    const std::size_t label = std::min(line.size(), indent.size());
    out += line.substr(0, label);
    append_wrapped(out, line.substr(label), indent, width);
    out += '\n';
    rows.remove_prefix(std::min(end + 1, rows.size()));
  }
  return out;
}

std::string run_label(const std::string& label) {
  constexpr std::size_t kLongest = 160;
  return text::shortened(label, kLongest);
}

std::string row(std::string_view label, std::string_view text) {
  return fitted(open_row(label, text), kWidth);
}

std::string command_row(std::string_view label, std::string_view command) {
  return fmt::format("{}{}\n", label_text(label), command);
}

std::string coloured(std::string_view text, Colour colour) {
  switch (colour) {
    case Colour::green:
      return fmt::format("\x1b[1;32m{}\x1b[0m", text);
    case Colour::yellow:
      return fmt::format("\x1b[1;33m{}\x1b[0m", text);
    case Colour::red:
      return fmt::format("\x1b[1;31m{}\x1b[0m", text);
    case Colour::none:
      break;
  }
  return std::string(text);
}

std::string comma_list(const std::vector<std::string>& parts) {
  return fmt::format("{}", fmt::join(parts, ", "));
}

}  // namespace opgate::report
