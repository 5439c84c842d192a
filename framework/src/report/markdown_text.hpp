#pragma once

#include <string>
#include <string_view>

namespace opgate::report {

// Text from anywhere as Markdown that shows it and does nothing else: no markup, no HTML, no link, no mention, no new
// line. What is not UTF-8, and control characters, become U+FFFD.
[[nodiscard]] std::string markdown_text(std::string_view text);
// The same as code in a cell of a table.
[[nodiscard]] std::string markdown_code(std::string_view text);
// At most so many bytes of it, and " ..." where it was cut; never inside a character of UTF-8.
[[nodiscard]] std::string shortened(std::string_view text, std::size_t bytes);
// Valid UTF-8 without control characters: each bad byte is U+FFFD, each line break a blank.
[[nodiscard]] std::string printable(std::string_view text);

}  // namespace opgate::report
