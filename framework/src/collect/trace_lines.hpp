#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "text/json.hpp"

namespace opgate::collect {

// The lines of a trace, one JSON value each.
class TraceLines {
 public:
  TraceLines(std::string_view text, std::string name) : text_(text), name_(std::move(name)) {}

  [[nodiscard]] bool at_end() const noexcept { return text_.empty(); }
  // Reads one line and hands its value to `read`; every error in either gets this line's number. `expected` says what
  // the line should be, for the message when the text ends too early.
  template <class Read>
  auto next(std::string_view expected, const Read& read) {
    const std::string_view line = take(expected);
    try {
      return read(text::parse_json(line, name_, ErrorKind::trace));
    } catch (const Error& error) {
      throw at_this_line(error);
    }
  }
  [[nodiscard]] Error error(const std::string& what) const;

 private:
  std::string_view take(std::string_view expected);
  [[nodiscard]] Error at_this_line(const Error& error) const;

  std::string_view text_;
  std::string name_;
  int number_ = 0;
};

}  // namespace opgate::collect
