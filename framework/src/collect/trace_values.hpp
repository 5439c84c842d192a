#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <utility>

#include "collect/trace_words.hpp"
#include "text/json.hpp"

namespace opgate::collect {

// An integer that fits T.
template <class T>
[[nodiscard]] T integer(const text::Json& json) {
  const std::int64_t value = json.as_integer();
  if (!std::in_range<T>(value)) throw json.error(fmt::format("{} is out of range", value));
  return static_cast<T>(value);
}

[[nodiscard]] inline std::optional<double> optional_number(const text::Json& json) {
  if (json.type() == text::Json::Type::null) return std::nullopt;
  return json.as_number();
}

template <class T, std::size_t N>
[[nodiscard]] T word(const Word<T> (&table)[N], const text::Json& json) {
  if (const T* const value = value_of(table, json.as_string())) return *value;
  std::string known;
  for (const Word<T>& entry : table) known += (known.empty() ? "" : ", ") + std::string(entry.text);
  throw json.error(fmt::format("\"{}\" is none of {}", json.as_string(), known));
}

}  // namespace opgate::collect
