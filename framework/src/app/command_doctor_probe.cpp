#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <optional>
#include <set>
#include <system_error>

#include "app/check_text.hpp"
#include "app/command_doctor_checks.hpp"
#include "core/ceiling_checks.hpp"
#include "core/probe_checks.hpp"
#include "device/lock.hpp"
#include "opgate/error.hpp"
#include "run/command.hpp"

namespace opgate::app {

namespace {

namespace fs = std::filesystem;

// "" when there is none: a build without CUDA.
std::string find_probe(const std::string& program) {
  std::error_code problem;
  const fs::path beside = fs::read_symlink("/proc/self/exe", problem).parent_path() / "opgate_probe";
  const fs::path probe = program.empty() ? beside : fs::path(program);
  return fs::exists(probe, problem) ? probe.string() : std::string();
}

std::vector<std::string> words_for(const std::string& program, const device::NvmlDevice& device,
                                   const ProbeRequest& request) {
  std::vector<std::string> words;
  // CUDA may number the devices in another order than NVML.
  if (!device.identity.uuid.empty()) words = {"env", "CUDA_VISIBLE_DEVICES=" + device.identity.uuid};
  words.insert(words.end(), {program, "--json"});
  if (request.ceilings) words.emplace_back("--ceilings");
  if (!request.broken.empty()) words.insert(words.end(), {"--break", request.broken});
  return words;
}

// What of the expected checks was not made; nothing but "cuda" is expected where that failed.
std::vector<std::string> missing_of(const std::set<std::string>& made, bool ceilings, bool cuda_failed) {
  std::vector<std::string> missing;
  for (const std::string& name : ceilings ? core::ceiling_check_names() : core::probe_check_names()) {
    if (!made.contains(name) && !cuda_failed) missing.push_back(name);
  }
  return missing;
}

// The first that was not made yet, in the order of the probe's own steps; "" after the last.
std::string next_of(const std::set<std::string>& made, bool ceilings) {
  const std::vector<std::string> missing = missing_of(made, ceilings, false);
  return missing.empty() ? std::string() : missing.front();
}

Check judge_probe(const std::string& name, const run::CapturedCommand& ended, const std::vector<std::string>& missing,
                  int unreadable, bool failed, double seconds) {
  Check check{name, Health::ok, fmt::format("all checks on the GPU were made in {:.1f} s", seconds)};
  check.figures.push_back({"seconds", seconds});
  if (ended.exit_status != 0 && !failed) {
    check.detail = ended.exit_status < 0 ? "opgate_probe was killed"
                                         : fmt::format("opgate_probe ended with exit status {}", ended.exit_status);
  } else if (!missing.empty()) {
    check.detail = fmt::format("these checks were not made: {}", fmt::join(missing, ", "));
  } else if (unreadable > 0) {
    check.detail = fmt::format("{} lines of opgate_probe are no checks", unreadable);
  } else {
    return check;
  }
  check.health = Health::fail;
  check.remedy = "run opgate_probe by itself to see what it says";
  return check;
}

}  // namespace

void run_probe(const device::NvmlDevice& device, const ProbeRequest& request,
               const std::function<void(const std::string& name)>& begun,
               const std::function<void(const Check&)>& told) {
  const std::string name = request.ceilings ? "ceilings" : "probe";
  const std::string program = find_probe(request.program);
  if (program.empty()) {
    return told({name, Health::unknown, "opgate_probe is not built, so nothing was measured",
                 "install the CUDA toolkit and configure again"});
  }
  std::optional<device::DeviceLock> lock;
  try {
    lock.emplace(device::DeviceLock::acquire(lock_key(device), "opgate doctor", std::chrono::milliseconds(0)));
  } catch (const Error& error) {
    return told({name, Health::unknown,
                 "nothing was measured, to leave the GPU to the one who has it: " + error.summary(), error.remedy()});
  }
  const auto start = std::chrono::steady_clock::now();
  std::set<std::string> made;
  bool failed = false;
  bool cuda_failed = false;
  int unreadable = 0;
  begun(next_of(made, request.ceilings));
  const run::CapturedCommand ended =
      run::capture(words_for(program, device, request), std::nullopt, [&](const std::string& line) {
        const std::optional<Check> check = parse_check(line);
        if (!check) {
          ++unreadable;
          return;
        }
        made.insert(check->name);
        failed |= check->health == Health::fail;
        cuda_failed |= check->health == Health::fail && check->name == "cuda";
        told(*check);
        if (const std::string next = next_of(made, request.ceilings); !next.empty()) begun(next);
      });
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
  told(judge_probe(name, ended, missing_of(made, request.ceilings, cuda_failed), unreadable, failed, taken.count()));
}

}  // namespace opgate::app
