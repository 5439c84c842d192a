#pragma once

#include <string>

#include "app/command_options.hpp"

namespace opgate::app {

// `--history "$UNSET"` must not end in the project's own history.
[[nodiscard]] inline WordCheck not_empty() {
  return [](const std::string& word) { return word.empty() ? "it is empty" : std::string(); };
}

}  // namespace opgate::app
