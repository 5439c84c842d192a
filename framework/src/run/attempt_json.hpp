#pragma once

#include <string>

#include "core/result.hpp"

namespace opgate::run {

// What a worker tells its supervisor, as one line of JSON; lossless. parse throws Error(op): the worker is at fault.
[[nodiscard]] std::string format_attempt(const core::Attempt& attempt);
[[nodiscard]] core::Attempt parse_attempt(const std::string& line);

}  // namespace opgate::run
