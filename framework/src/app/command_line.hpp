#pragma once

#include <ostream>
#include <string>
#include <vector>

#include "run/terminal.hpp"

namespace opgate::app {

// The whole command without the process around it: `words` as after "opgate". Returns the exit code; errors are
// printed to `err`, never thrown.
[[nodiscard]] int command_line(const std::vector<std::string>& words, std::ostream& out, std::ostream& err,
                               const run::Terminal& terminal = {});

}  // namespace opgate::app
