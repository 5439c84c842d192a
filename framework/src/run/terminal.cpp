#include "run/terminal.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <string>

namespace opgate::run {

namespace {

constexpr std::size_t kLeastWidth = 40;

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr ? value : "";
}

// The first that is set decides, as for setlocale().
bool locale_is_utf8() {
  for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    std::string locale = variable(name);
    if (locale.empty()) continue;
    std::transform(locale.begin(), locale.end(), locale.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return locale.find("utf-8") != std::string::npos || locale.find("utf8") != std::string::npos;
  }
  return false;
}

}  // namespace

Terminal look_at_terminal() {
  Terminal terminal;
  const bool people = variable("CI").empty() && variable("TERM") != "dumb";
  const bool out = people && ::isatty(STDOUT_FILENO) == 1;
  terminal.unicode = out && locale_is_utf8();
  terminal.colour = out && variable("NO_COLOR").empty();
  terminal.progress = people && ::isatty(STDERR_FILENO) == 1;
  winsize size{};
  if (people && ::ioctl(out ? STDOUT_FILENO : STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) {
    terminal.width = std::clamp<std::size_t>(size.ws_col, kLeastWidth, Terminal{}.width);
  }
  return terminal;
}

}  // namespace opgate::run
