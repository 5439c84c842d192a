#include "run/child.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <thread>
#include <utility>

#include "opgate/error.hpp"
#include "run/stop_signals.hpp"

namespace opgate::run {
namespace {

using Clock = std::chrono::steady_clock;
constexpr std::chrono::milliseconds kPollSlice{50};
constexpr std::chrono::milliseconds kReapSlice{1};
constexpr std::chrono::milliseconds kRestBound{1000};  // of a left-behind process that never stops sending

class Descriptor {
 public:
  explicit Descriptor(int value) : value_(value) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() { close_now(); }
  void close_now() {
    if (value_ >= 0) {
      ::close(value_);
      value_ = -1;
    }
  }
  [[nodiscard]] int get() const { return value_; }

 private:
  int value_;
};

// Cuts what arrives into lines; a line without its end is never handed on.
class LineBuffer {
 public:
  // False at the end of the stream.
  bool take(int descriptor, const std::function<void(const std::string&)>& on_line) {
    std::array<char, 65536> chunk{};
    const ssize_t count = ::read(descriptor, chunk.data(), chunk.size());
    if (count < 0) {
      return errno == EINTR || errno == EAGAIN;
    }
    pending_.append(chunk.data(), static_cast<std::size_t>(count));
    std::size_t begin = 0;
    for (std::size_t end = pending_.find('\n'); end != std::string::npos; end = pending_.find('\n', begin)) {
      on_line(pending_.substr(begin, end - begin));
      begin = end + 1;
    }
    pending_.erase(0, begin);
    return count > 0;
  }

 private:
  std::string pending_;
};

[[noreturn]] void become_worker(const ChildCommand& command, int descriptor, pid_t supervisor) {
  std::vector<std::string> arguments = command.arguments;
  ::setpgid(0, 0);
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != supervisor) {
    _exit(1);  // it died before the line above
  }
  const std::string program = command.program.empty() ? "/proc/self/exe" : command.program.string();
  arguments.insert(arguments.begin(), program);
  arguments.emplace_back("--worker-fd");
  arguments.push_back(std::to_string(descriptor));
  for (const auto& [name, value] : command.environment) {
    ::setenv(name.c_str(), value.c_str(), 1);
  }
  std::vector<char*> words;
  words.reserve(arguments.size() + 1);
  std::transform(arguments.begin(), arguments.end(), std::back_inserter(words),
                 [](std::string& word) { return word.data(); });
  words.push_back(nullptr);
  ::execv(program.c_str(), words.data());
  _exit(127);
}

// A child that cannot be waited for has ended as well.
bool has_ended(pid_t child) {
  siginfo_t info{};
  const int failed = ::waitid(P_PID, static_cast<id_t>(child), &info, WEXITED | WNOHANG | WNOWAIT);
  return failed != 0 ? errno != EINTR : info.si_pid == child;
}

// Waits for the child without letting the deadline pass unnoticed; the child's end may lag behind its last line.
ChildEnd reap(pid_t child, Clock::time_point deadline, ChildEnd end) {
  while (!has_ended(child)) {
    if (!end.timed_out && !end.interrupted && (Clock::now() >= deadline || stop_requested())) {
      end.timed_out = !stop_requested();
      end.interrupted = stop_requested();
      ::kill(-child, SIGKILL);
    }
    std::this_thread::sleep_for(kReapSlice);
  }
  // What the worker left behind, while its number is still its own.
  ::kill(-child, SIGKILL);
  int status = 0;
  ::waitpid(child, &status, 0);
  if (WIFSIGNALED(status)) {
    end.signal = WTERMSIG(status);
  } else {
    end.exit_status = WEXITSTATUS(status);
  }
  return end;
}

// What was sent before the end was seen: a worker ends, and a stop signal comes, between two looks at the pipe.
void take_rest(LineBuffer& lines, int descriptor, const std::function<void(const std::string&)>& on_line) {
  pollfd pipe{.fd = descriptor, .events = POLLIN, .revents = 0};
  for (const auto bound = Clock::now() + kRestBound; Clock::now() < bound;) {
    if (::poll(&pipe, 1, 0) <= 0 || !lines.take(descriptor, on_line)) {
      return;
    }
  }
}

}  // namespace

ChildEnd run_child(const ChildCommand& command, Clock::time_point deadline,
                   const std::function<void(const std::string& line)>& on_line) {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) {
    throw Error(ErrorKind::io, std::strerror(errno), "pipe", "raise the limit of open files");
  }
  Descriptor ours(ends[0]);
  Descriptor theirs(ends[1]);
  const StopSignals signals;
  const pid_t supervisor = ::getpid();
  const pid_t child = ::fork();
  if (child < 0) {
    throw Error(ErrorKind::io, std::strerror(errno), "fork", "raise the limit of processes or free memory");
  }
  if (child == 0) {
    ::fcntl(theirs.get(), F_SETFD, 0);
    for (const int inherited : command.inherited) {
      ::fcntl(inherited, F_SETFD, 0);
    }
    become_worker(command, theirs.get(), supervisor);
  }
  ::setpgid(child, child);
  theirs.close_now();

  LineBuffer lines;
  ChildEnd end;
  bool open = true;
  while (open && Clock::now() < deadline && !stop_requested()) {
    pollfd poll_ours{.fd = ours.get(), .events = POLLIN, .revents = 0};
    if (::poll(&poll_ours, 1, static_cast<int>(kPollSlice.count())) > 0) {
      open = lines.take(ours.get(), on_line);
    } else {
      open = !has_ended(child);  // a process the worker left behind may hold the pipe open for ever
    }
  }
  take_rest(lines, ours.get(), on_line);
  return reap(child, deadline, end);
}

void send_line(int descriptor, const std::string& line) {
  std::string text = line + '\n';
  std::string_view rest = text;
  while (!rest.empty()) {
    const ssize_t written = ::write(descriptor, rest.data(), rest.size());
    if (written < 0 && errno != EINTR) {
      _exit(1);
    }
    rest.remove_prefix(static_cast<std::size_t>(std::max<ssize_t>(written, 0)));
  }
}

}  // namespace opgate::run
