#include "text/slug.hpp"

#include <cstddef>

namespace opgate::text {

std::string slug(std::string_view name) {
  constexpr std::size_t kLongest = 64;
  std::string result;
  for (const char c : name) {
    const bool upper = c >= 'A' && c <= 'Z';
    const bool kept = upper || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
    if (kept) {
      result += upper ? static_cast<char>(c - 'A' + 'a') : c;
    } else if (!result.empty() && result.back() != '-') {
      result += '-';
    }
  }
  if (result.size() > kLongest) result.resize(kLongest);
  while (!result.empty() && result.back() == '-') result.pop_back();
  return result.empty() ? "unknown" : result;
}

}  // namespace opgate::text
