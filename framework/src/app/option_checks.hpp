#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace opgate::app {

// `--history "$UNSET"` must not end in the project's own history.
[[nodiscard]] inline CLI::Validator not_empty() {
  return CLI::Validator([](const std::string& word) { return word.empty() ? "it is empty" : std::string(); }, "");
}

}  // namespace opgate::app
