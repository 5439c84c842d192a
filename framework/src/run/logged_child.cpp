#include "run/logged_child.hpp"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <thread>

#include "opgate/error.hpp"
#include "run/stop_signals.hpp"

namespace opgate::run {
namespace {

using Clock = std::chrono::steady_clock;
constexpr std::chrono::milliseconds kSlice{2};
constexpr std::chrono::seconds kGrace{5};  // to store what was measured

[[noreturn]] void become(const ChildCommand& command, int log, pid_t parent) {
  ::prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (::getppid() != parent) _exit(1);  // it died before the line above
  const int nowhere = ::open("/dev/null", O_RDONLY);
  ::dup2(nowhere, STDIN_FILENO);
  ::dup2(log, STDOUT_FILENO);
  ::dup2(log, STDERR_FILENO);
  for (const auto& [name, value] : command.environment) ::setenv(name.c_str(), value.c_str(), 1);
  std::vector<std::string> arguments = command.arguments;
  arguments.insert(arguments.begin(), command.program.string());
  std::vector<char*> words;
  std::transform(arguments.begin(), arguments.end(), std::back_inserter(words),
                 [](std::string& word) { return word.data(); });
  words.push_back(nullptr);
  ::execv(words.front(), words.data());
  _exit(127);
}

ChildEnd wait_for(pid_t child, Clock::time_point deadline) {
  ChildEnd end;
  int status = 0;
  bool killed = false;
  for (pid_t ended = 0; ended != child; std::this_thread::sleep_for(kSlice)) {
    ended = ::waitpid(child, &status, WNOHANG);
    if (ended == child) break;
    if (ended < 0 && errno != EINTR) throw Error(ErrorKind::io, std::strerror(errno), "waitpid", "start it again");
    const bool told = end.timed_out || end.interrupted;
    if (!told && (stop_requested() || Clock::now() >= deadline)) {
      end.interrupted = stop_requested();
      end.timed_out = !end.interrupted;
      ::kill(child, SIGTERM);
      deadline = Clock::now() + kGrace;
    } else if (told && !killed && Clock::now() >= deadline) {
      ::kill(child, SIGKILL);
      killed = true;
    }
  }
  if (WIFSIGNALED(status)) {
    end.signal = WTERMSIG(status);
  } else {
    end.exit_status = WEXITSTATUS(status);
  }
  return end;
}

}  // namespace

ChildEnd run_logged(const ChildCommand& command, const std::filesystem::path& log, Clock::time_point deadline) {
  const int file = ::open(log.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  if (file < 0) throw Error(ErrorKind::io, std::strerror(errno), log.string(), "make its folder writable");
  const pid_t parent = ::getpid();
  const pid_t child = ::fork();
  if (child == 0) become(command, file, parent);
  ::close(file);
  if (child < 0) {
    throw Error(ErrorKind::io, std::strerror(errno), command.program.string(), "raise the limit of processes");
  }
  return wait_for(child, deadline);
}

}  // namespace opgate::run
