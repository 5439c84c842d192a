#include "app/probe_report.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <exception>

#include "app/check_text.hpp"
#include "core/exit_code.hpp"
#include "opgate/error.hpp"

namespace opgate::app {
namespace {

using Clock = std::chrono::steady_clock;
constexpr std::chrono::seconds kLongest{60};
constexpr std::chrono::milliseconds kLook{50};

core::Check failure(const std::string& name, const Error& error) {
  const std::string where = error.where().empty() ? "" : error.where() + ": ";
  return {name, core::Health::fail, where + error.summary(), error.remedy()};
}

}  // namespace

ProbeReport::ProbeReport(bool json) : json_(json), watchdog_([this] { watch(); }) {}

ProbeReport::~ProbeReport() {
  stop_.store(true);
  watchdog_.join();
}

bool ProbeReport::step(const std::string& name, const std::function<core::Check()>& check) {
  {
    const std::lock_guard lock(mutex_);
    step_ = name;
  }
  core::Check made;
  try {
    made = check();
  } catch (const Error& error) {
    made = failure(name, error);
  } catch (const std::exception& error) {
    made = {name, core::Health::fail, error.what(), "report this as a defect of opgate"};
  }
  const std::lock_guard lock(mutex_);
  tell(made);
  if (made.health != core::Health::fail) return true;
  ++failed_;
  return false;
}

void ProbeReport::tell(const core::Check& check) const {
  fmt::print("{}", json_ ? json_of(check).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n"
                         : text_of(check));
  std::fflush(stdout);
}

void ProbeReport::watch() {
  const Clock::time_point end = Clock::now() + kLongest;
  while (!stop_.load()) {
    std::this_thread::sleep_for(kLook);
    if (Clock::now() < end) continue;
    const std::lock_guard lock(mutex_);
    tell({step_, core::Health::fail, fmt::format("hung: not done {} s after the start", kLongest.count()),
          "look at the driver's messages (dmesg), and restart the machine should the GPU not answer"});
    // The device may never answer again, so no destructor may wait for it.
    ::_exit(static_cast<int>(core::ExitCode::cannot_run));
  }
}

}  // namespace opgate::app
