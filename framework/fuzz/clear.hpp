#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "opgate/error.hpp"
#include "text/json_write.hpp"

namespace opgate::fuzz {

inline std::string_view text_of(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

[[noreturn]] inline void fail(const char* why, std::string_view text) {
  std::fprintf(stderr, "%s: %.*s\n", why, static_cast<int>(text.size()), text.data());
  std::abort();
}

inline void require(bool holds, const char* why, std::string_view text = {}) {
  if (!holds) fail(why, text);
}

// Calls `read`. What it refuses must be told as people are told: of the right kind, with a place and a fix, short, in
// letters that any terminal shows. Any other exception ends the process, which the fuzzer reports.
template <class Read>
bool accepts(ErrorKind kind, const Read& read) {
  constexpr std::size_t kLongest = 16'384;
  try {
    read();
    return true;
  } catch (const Error& error) {
    const std::string_view text = error.what();
    require(error.kind() == kind, "the error is of another kind", text);
    require(!error.where().empty(), "the error has no place", text);
    require(!error.remedy().empty(), "the error has no fix", text);
    require(text.size() <= kLongest, "the error is too long", text);
    require(text::is_utf8(text), "the error is not UTF-8", text);
    for (const char c : text) {
      const auto byte = static_cast<unsigned char>(c);
      require(byte >= 0x20 ? byte != 0x7f : byte == '\n' || byte == '\t', "the error has control characters", text);
    }
    return false;
  }
}

}  // namespace opgate::fuzz
