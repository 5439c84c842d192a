#pragma once

#include <cstddef>

namespace opgate::run {

// What reads the output: by default a file.
struct Terminal {
  bool unicode = false;     // stdout can show more than ASCII
  bool colour = false;      // stdout can show colours, and they are wanted
  bool progress = false;    // stderr is a terminal that somebody looks at
  std::size_t width = 100;  // wider lines are hard to read, and a file has none
};

// Colours: stdout is a terminal, not TERM=dumb, and NO_COLOR is unset or empty (https://no-color.org). Unicode: also
// the locale's characters are UTF-8. Progress: stderr is a terminal. None of them in CI.
[[nodiscard]] Terminal look_at_terminal();

}  // namespace opgate::run
