#include "text/clear_error.hpp"

#include "text/json_write.hpp"

namespace opgate::text {

std::string shortened(std::string_view text, std::size_t most) {
  if (text.size() <= most) return std::string(text);
  std::size_t end = most;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) --end;
  return std::string(text.substr(0, end)) + "...";
}

std::string readable(std::string_view text) {
  const bool is_text = is_utf8(text);
  std::string out(text);
  for (char& letter : out) {
    const auto byte = static_cast<unsigned char>(letter);
    const bool control = (byte < 0x20 && letter != '\n' && letter != '\t') || byte == 0x7F;
    if (control || (byte >= 0x80 && !is_text)) letter = '?';
  }
  return out;
}

namespace {

// What an error says often stands behind what it repeats: the middle is left out.
std::string bounded(std::string_view text) {
  if (text.size() <= kLongestMessage) return std::string(text);
  std::size_t begin = text.size() - kLongestMessage / 2;
  while (begin < text.size() && (static_cast<unsigned char>(text[begin]) & 0xC0U) == 0x80U) ++begin;
  return shortened(text, kLongestMessage / 2) + std::string(text.substr(begin));
}

}  // namespace

Error clear_error(ErrorKind kind, std::string_view what, std::string_view where, std::string_view remedy) {
  return {kind, readable(bounded(what)), readable(bounded(where)), readable(bounded(remedy))};
}

}  // namespace opgate::text
