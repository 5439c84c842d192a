#include "report/markdown_text.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "text/json_write.hpp"

namespace opgate::report {
namespace {

constexpr std::string_view kReplacement = "\xef\xbf\xbd";  // U+FFFD

// Bytes of the character that begins here, as far as its first byte says; 0: none does.
std::size_t length_of(unsigned char first) {
  if (first < 0x80) return 1;
  if (first >= 0xc2 && first <= 0xdf) return 2;
  if (first >= 0xe0 && first <= 0xef) return 3;
  return first >= 0xf0 && first <= 0xf4 ? 4 : 0;
}

// Marks that turn or hide text: U+200B..U+200F, U+202A..U+202E, U+2060..U+2069, U+FEFF.
bool is_invisible(std::string_view character) {
  if (character == "\xef\xbb\xbf") return true;
  if (character.size() != 3 || character[0] != '\xe2') return false;
  const auto second = static_cast<unsigned char>(character[1]);
  const auto third = static_cast<unsigned char>(character[2]);
  if (second == 0x80) return (third >= 0x8b && third <= 0x8f) || (third >= 0xaa && third <= 0xae);
  return second == 0x81 && third >= 0xa0 && third <= 0xa9;
}

// Everything that begins something in Markdown, in HTML, or in GitHub's and GitLab's extensions of it.
constexpr std::string_view kSpecial = "\\`*_{}[]<>#|~!@&$^=";

bool begins_link(std::string_view rest) {
  return rest.starts_with("://") || rest.starts_with("www.") || rest.starts_with("WWW.");
}

}  // namespace

std::string printable(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const auto first = static_cast<unsigned char>(text.front());
    const std::size_t length = length_of(first);
    const std::string_view character = text.substr(0, std::max<std::size_t>(length, 1));
    if (length == 0 || character.size() < length || !text::is_utf8(character)) {
      out += kReplacement;
      text.remove_prefix(1);
      continue;
    }
    const bool blank = first == '\n' || first == '\r' || first == '\t';
    const bool control = first < 0x20 || first == 0x7f || (first == 0xc2 && character[1] < '\xa0');
    out += blank ? std::string_view(" ") : control || is_invisible(character) ? kReplacement : character;
    text.remove_prefix(length);
  }
  return out;
}

std::string markdown_text(std::string_view text) {
  const std::string clean = printable(text);
  std::string out;
  for (std::size_t i = 0; i < clean.size(); ++i) {
    const bool special = kSpecial.find(clean[i]) != std::string_view::npos;
    if (special || begins_link(std::string_view(clean).substr(i))) {
      out += fmt::format("&#{};", static_cast<int>(clean[i]));
    } else {
      out += clean[i];
    }
  }
  return out;
}

std::string markdown_code(std::string_view text) {
  const std::string clean = printable(text);
  std::size_t longest = 0;
  std::size_t ticks = 0;
  std::string escaped;
  for (const char c : clean) {
    ticks = c == '`' ? ticks + 1 : 0;
    longest = std::max(longest, ticks);
    if (c == '|') escaped += '\\';  // a table takes its cells apart before it looks for code
    escaped += c;
  }
  // A backslash before a bar would escape it a second time: such text is spelled out instead.
  if (clean.empty() || clean.find("\\|") != std::string::npos) return markdown_text(text);
  const std::string fence(longest + 1, '`');
  const bool padded = longest > 0 || clean.front() == ' ' || clean.back() == ' ';
  return padded ? fence + ' ' + escaped + ' ' + fence : fence + escaped + fence;
}

std::string shortened(std::string_view text, std::size_t bytes) {
  if (text.size() <= bytes) return std::string(text);
  std::size_t end = bytes;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) --end;
  return std::string(text.substr(0, end)) + " ...";
}

}  // namespace opgate::report
