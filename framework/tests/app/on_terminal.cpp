#include "app/on_terminal.hpp"

#include <pty.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <boost/test/unit_test.hpp>
#include <cerrno>
#include <cstdlib>
#include <cstring>

namespace opgate::tests {
namespace {

[[noreturn]] void become(std::vector<std::string> words, const std::string& folder, bool in_ci) {
  words.insert(words.begin(), OPGATE_COMMAND_FILE);
  ::setenv("TERM", "xterm", 1);
  if (in_ci) {
    ::setenv("CI", "1", 1);
  } else {
    ::unsetenv("CI");
  }
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  if (::chdir(folder.c_str()) == 0) ::execv(arguments[0], arguments.data());
  _exit(127);
}

}  // namespace

std::string on_terminal(const std::vector<std::string>& words, const std::string& folder, bool in_ci) {
  winsize size{};
  size.ws_col = 80;
  size.ws_row = 25;
  int terminal = -1;
  const pid_t child = ::forkpty(&terminal, nullptr, nullptr, &size);
  BOOST_REQUIRE_MESSAGE(child >= 0, "forkpty: " << std::strerror(errno) << "; is devpts mounted on /dev/pts?");
  if (child == 0) become(words, folder, in_ci);
  std::string said;
  std::array<char, 4096> chunk{};
  // A terminal whose program has ended reads as an error, not as an end.
  for (ssize_t count = 0; (count = ::read(terminal, chunk.data(), chunk.size())) > 0;) {
    said.append(chunk.data(), static_cast<std::size_t>(count));
  }
  ::close(terminal);
  int status = 0;
  ::waitpid(child, &status, 0);
  BOOST_TEST((WIFEXITED(status) && WEXITSTATUS(status) != 127));
  return said;
}

}  // namespace opgate::tests
