#pragma once

#include <optional>
#include <string>

#include <nlohmann/json.hpp>

#include "core/check.hpp"

namespace opgate::app {

// How a check is told to people, with its remedy and its table on lines of their own.
[[nodiscard]] std::string text_of(const core::Check& check);
// And to scripts; opgate_probe tells `opgate doctor` in the same way, one object a line. The names are a contract.
[[nodiscard]] nlohmann::ordered_json json_of(const core::Check& check);
// Absent for anything that json_of does not write.
[[nodiscard]] std::optional<core::Check> parse_check(const std::string& line);

}  // namespace opgate::app
