#include "spec/load_fields.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "core/bounds.hpp"

namespace opgate::spec {
namespace {

constexpr std::int64_t kLongestTimeoutSeconds = 86'400;

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

// The same as the pattern in the schema: at most two digits, at most six decimals, no leading zero.
bool is_percentage(std::string_view number) {
  const std::size_t point = number.find('.');
  const std::string_view whole = number.substr(0, point);
  if (whole.empty() || whole.size() > 2 || !std::all_of(whole.begin(), whole.end(), is_digit)) return false;
  if (whole.size() == 2 && whole.front() == '0') return false;
  if (point == std::string_view::npos) return true;
  const std::string_view decimals = number.substr(point + 1);
  return !decimals.empty() && decimals.size() <= 6 && std::all_of(decimals.begin(), decimals.end(), is_digit);
}

}  // namespace

void require(const NameCheck& fault, const text::Json& at) {
  if (fault) throw at.error(fault->what, fault->remedy);
}

std::int64_t integer_within(const text::Json& value, std::string_view key, std::int64_t lowest, std::int64_t highest) {
  const std::int64_t number = value.as_integer();
  if (number >= lowest && number <= highest) return number;
  throw value.error(fmt::format("\"{}\" is {}, outside {} to {}", key, number, lowest, highest),
                    fmt::format("write an integer from {} to {}", lowest, highest));
}

const std::string& non_empty(const text::Json& value, std::string_view key) {
  const std::string& text = value.as_string();
  if (text.find_first_not_of(" \t\r\n") == std::string::npos) {
    throw value.error(fmt::format("\"{}\" is empty", key), fmt::format("write something in \"{}\" or remove it", key));
  }
  return text;
}

void check_entries(std::size_t entries, const text::Json& value, std::string_view key) {
  if (entries <= kMostEntries) return;
  throw value.error(fmt::format("\"{}\" has {} entries, more than {}", key, entries, kMostEntries), "shorten the list");
}

double parse_tolerance(const text::Json& value) {
  const std::string& text = value.as_string();
  double percent = 0;
  if (text.ends_with('%') && is_percentage(std::string_view(text).substr(0, text.size() - 1))) {
    std::from_chars(text.data(), text.data() + text.size() - 1, percent);
  }
  if (percent > 0) return percent / 100;
  throw value.error(fmt::format("\"tolerance\" is \"{}\", not a percentage above 0% and below 100%", text),
                    "write it like \"1%\" or \"2.5%\"");
}

int parse_timeout(const text::Json& value) {
  return static_cast<int>(integer_within(value, "timeout_s", 1, kLongestTimeoutSeconds));
}

int parse_iterations(const text::Json& value) {
  return static_cast<int>(integer_within(value, "iterations", 1, core::kMostIterations));
}

int parse_processes(const text::Json& value) {
  return static_cast<int>(integer_within(value, "processes", 1, core::kMostProcesses));
}

std::vector<std::string> parse_list(const text::Json& value, std::string_view key) {
  std::vector<std::string> list;
  check_entries(value.as_array().size(), value, key);
  for (const text::Json& element : value.as_array()) {
    const std::string& text = element.as_string();
    if (std::find(list.begin(), list.end(), text) != list.end()) {
      throw element.error(fmt::format("\"{}\" lists \"{}\" twice", key, text), "remove one of the two");
    }
    list.push_back(text);
  }
  return list;
}

std::vector<std::string> parse_labels(const text::Json& value) {
  std::vector<std::string> labels = parse_list(value, "labels");
  for (std::size_t i = 0; i < labels.size(); ++i) require(check_label(labels[i]), value.as_array()[i]);
  return labels;
}

Params parse_params(const text::Json& value) {
  check_entries(value.as_object().size(), value, "params");
  Params params;
  for (const auto& [name, number] : value.as_object()) {
    require(check_identifier(name, "parameter"), number);
    params.emplace(name, number.as_number());
  }
  return params;
}

}  // namespace opgate::spec
