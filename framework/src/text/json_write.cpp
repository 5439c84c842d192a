#include "text/json_write.hpp"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

namespace opgate::text {

bool is_utf8(std::string_view text) {
  try {
    static_cast<void>(json_string(text, ErrorKind::io));
    return true;
  } catch (const Error&) {
    return false;
  }
}

std::string json_string(std::string_view text, ErrorKind kind) {
  try {
    return nlohmann::json(text).dump();
  } catch (const nlohmann::json::type_error&) {
    throw Error(kind, "a text is not valid UTF-8 and cannot be written as JSON", {}, "correct its encoding");
  }
}

std::string json_number(double value, ErrorKind kind) {
  if (!std::isfinite(value)) {
    throw Error(kind, fmt::format("the number {} cannot be written as JSON", value), {},
                "leave out what was not measured");
  }
  // Readers take "-0" for an integer, and those have one zero.
  if (value == 0 && std::signbit(value)) return "-0.0";
  return fmt::format("{}", value);
}

}  // namespace opgate::text
