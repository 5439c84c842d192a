#include <unistd.h>

#include <boost/test/unit_test.hpp>
#include <csignal>
#include <cstdlib>
#include <string>

#include "run/child.hpp"
#include "run/worker_process.hpp"

namespace {

using namespace opgate;

void play(const std::string& behaviour, int descriptor) {
  run::send_phase(descriptor, "set-up");
  if (behaviour == "hang") {
    for (;;) {
      ::pause();
    }
  }
  if (behaviour == "orphan") {
    if (::fork() == 0) {
      ::setsid();
      for (const int standard : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
        ::close(standard);  // CTest waits for whoever holds them
      }
      ::sleep(60);
      std::_Exit(0);
    }
    std::_Exit(7);
  }
  run::send_phase(descriptor, "measure");
  if (behaviour == "kill") {
    ::raise(SIGKILL);
  } else if (behaviour == "crash") {
    std::abort();
  } else if (behaviour == "exit") {
    std::exit(0);
  } else if (behaviour == "half") {
    (void)!::write(descriptor, "result {\"number\":1", 18);
    std::_Exit(0);
  } else if (behaviour == "stop-supervisor") {
    ::kill(::getppid(), SIGTERM);
    ::sleep(60);
  } else if (behaviour == "result") {
    core::Attempt attempt;
    attempt.status = core::Status::measured;
    attempt.message = std::getenv("OPGATE_TEST_WORD");
    Sample sample;
    sample.busy_ns = 1696;
    attempt.implementations.push_back({.measurement = {}, .kernels = {}, .kernel_groups = {}});
    attempt.implementations[0].measurement.samples.push_back(sample);
    run::send_result(descriptor, attempt);
  }
}

}  // namespace

// The tests start this executable again as a worker that behaves as --play says.
int main(int argc, char* argv[]) {
  if (argc == 5 && std::string(argv[1]) == "--play" && std::string(argv[3]) == "--worker-fd") {
    play(argv[2], std::atoi(argv[4]));
    return 0;
  }
  return boost::unit_test::unit_test_main([]() { return true; }, argc, argv);
}
