#pragma once

#include <ostream>
#include <string>
#include <vector>

namespace opgate::app {

// The whole command without the process around it: `words` as after "opgate". Returns the exit code; errors are
// printed to `err`, never thrown. `unicode`: whether what reads `out` can show more than ASCII.
[[nodiscard]] int command_line(const std::vector<std::string>& words, std::ostream& out, std::ostream& err,
                               bool unicode = false);

}  // namespace opgate::app
