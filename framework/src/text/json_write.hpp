#pragma once

#include <string>
#include <string_view>

#include "opgate/error.hpp"

namespace opgate::text {

[[nodiscard]] bool is_utf8(std::string_view text);
// Quoted and escaped; Error(kind) when the text is not UTF-8, which JSON cannot hold.
[[nodiscard]] std::string json_string(std::string_view text, ErrorKind kind);
// The shortest decimal that reads back as the same double; Error(kind) for NaN and infinities.
[[nodiscard]] std::string json_number(double value, ErrorKind kind);

}  // namespace opgate::text
