#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "opgate/error.hpp"

namespace opgate::text {

inline constexpr std::size_t kLongestQuote = 80;      // of a name or a value that an error repeats
inline constexpr std::size_t kLongestMessage = 4000;  // of an error's what, where and remedy, each

// At most `most` bytes, cut between characters and marked as cut.
[[nodiscard]] std::string shortened(std::string_view text, std::size_t most = kLongestQuote);
// Control characters, and bytes that are no UTF-8, as '?': what a file holds must not steer a terminal.
[[nodiscard]] std::string readable(std::string_view text);
// An error whose texts repeat what came from outside: readable, and bounded.
[[nodiscard]] Error clear_error(ErrorKind kind, std::string_view what, std::string_view where, std::string_view remedy);

}  // namespace opgate::text
