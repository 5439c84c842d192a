#pragma once

#include <cstdlib>
#include <functional>
#include <optional>
#include <string>

namespace opgate::collect {

// CUPTI allows one subscriber per process. The tools that would be a second one inject themselves through the
// environment, which can be seen before CUPTI fails in a way that names none of them.
struct AttachedTool {
  std::string name;      // "nsys or ncu"
  std::string evidence;  // the variable and its value
  std::string remedy;
};

using Environment = std::function<const char*(const char* variable)>;  // as std::getenv
[[nodiscard]] std::optional<AttachedTool> attached_tool(const Environment& environment);

}  // namespace opgate::collect
