#pragma once

namespace opgate::app {

// Whether stdout is a terminal that shows Unicode: not in CI, not TERM=dumb, and the locale's characters are UTF-8.
[[nodiscard]] bool terminal_shows_unicode();

}  // namespace opgate::app
