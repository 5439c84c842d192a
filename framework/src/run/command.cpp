#include "run/command.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>

#include "opgate/error.hpp"

namespace opgate::run {
namespace {

[[noreturn]] void become(const std::vector<std::string>& words, const std::optional<std::filesystem::path>& folder,
                         int output) {
  const int nowhere = ::open("/dev/null", O_RDWR);
  ::dup2(nowhere, STDIN_FILENO);
  ::dup2(nowhere, STDERR_FILENO);
  ::dup2(output, STDOUT_FILENO);
  if (folder && ::chdir(folder->c_str()) != 0) {
    _exit(126);
  }
  std::vector<std::string> copy = words;
  std::vector<char*> arguments;
  arguments.reserve(copy.size() + 1);
  for (std::string& word : copy) {
    arguments.push_back(word.data());
  }
  arguments.push_back(nullptr);
  ::execvp(arguments.front(), arguments.data());
  _exit(127);
}

}  // namespace

CapturedCommand capture(const std::vector<std::string>& words, const std::optional<std::filesystem::path>& folder) {
  return capture(words, folder, [](const std::string&) {});
}

CapturedCommand capture(const std::vector<std::string>& words, const std::optional<std::filesystem::path>& folder,
                        const std::function<void(const std::string& line)>& on_line) {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) {
    throw Error(ErrorKind::io, std::strerror(errno), "pipe", "raise the limit of open files");
  }
  const pid_t child = ::fork();
  if (child == 0) {
    become(words, folder, ends[1]);
  }
  ::close(ends[1]);
  CapturedCommand captured;
  if (child > 0) {
    std::array<char, 65536> chunk{};
    std::size_t told = 0;
    const auto tell_line = [&](std::size_t end) {
      on_line(captured.output.substr(told, end - told));
      told = end + 1;
    };
    for (ssize_t count = 0; (count = ::read(ends[0], chunk.data(), chunk.size())) != 0;) {
      if (count > 0) {
        captured.output.append(chunk.data(), static_cast<std::size_t>(count));
        for (std::size_t end = 0; (end = captured.output.find('\n', told)) != std::string::npos;) {
          tell_line(end);
        }
      } else if (errno != EINTR) {
        break;
      }
    }
    if (told < captured.output.size()) {
      tell_line(captured.output.size());
    }
    int status = 0;
    while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    captured.exit_status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }
  ::close(ends[0]);
  return captured;
}

std::string first_line(const std::string& text) {
  return text.substr(0, text.find('\n'));
}

std::string in_one_line(const std::vector<std::string>& words) {
  return fmt::format("{}", fmt::join(words, " "));
}

}  // namespace opgate::run
