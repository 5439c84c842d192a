#include "collect/trace_lines.hpp"

#include <fmt/format.h>

namespace opgate::collect {
namespace {

// Bounds what a hostile line can make the JSON reader hold at once; a mangled kernel name may take some kilobytes.
constexpr std::size_t kLongestLine = 1U << 20U;
constexpr const char* kRemedy = "record the trace again with --record";

}  // namespace

std::string_view TraceLines::take(std::string_view expected) {
  ++number_;
  if (text_.empty()) throw error(fmt::format("the trace ends where {} should follow", expected));
  const std::size_t end = text_.find('\n');
  if (end == std::string_view::npos) throw error("the last line is cut off");
  if (end > kLongestLine) throw error(fmt::format("the line has {} bytes, more than {}", end, kLongestLine));
  const std::string_view line = text_.substr(0, end);
  text_.remove_prefix(end + 1);
  return line;
}

Error TraceLines::error(const std::string& what) const {
  return {ErrorKind::trace, what, fmt::format("{}:{}", name_, number_), kRemedy};
}

Error TraceLines::at_this_line(const Error& error) const {
  return {ErrorKind::trace, error.summary(), fmt::format("{}:{}", name_, number_),
          error.remedy().empty() ? kRemedy : error.remedy()};
}

}  // namespace opgate::collect
