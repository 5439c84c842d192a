#include <fmt/format.h>

#include <algorithm>
#include <sstream>
#include <system_error>

#include "app/command_doctor_checks.hpp"
#include "app/command_table.hpp"
#include "run/command.hpp"

namespace opgate::app {

namespace {

std::vector<Check> all_checks(const Session& session) {
  std::vector<Check> checks{check_pci_bus()};
  const device::NvmlReport report = device::query_nvml();
  checks.push_back(check_nvml(report));
  for (const device::NvmlDevice& device : report.devices) {
    for (Check& check : check_device(device)) checks.push_back(std::move(check));
  }
  checks.push_back(check_cupti(session));
  checks.push_back(check_history(session));
  checks.push_back(check_baselines(session));
  return checks;
}

void print_check(const Session& session, const Check& check) {
  if (session.json) {
    session.print({{"check", check.name},
                   {"state", to_string(check.health)},
                   {"detail", check.detail},
                   {"remedy", check.remedy.empty() ? Json(nullptr) : Json(check.remedy)}});
    return;
  }
  session.out() << fmt::format("{:<7} {}: {}\n", to_string(check.health), check.name, check.detail);
  if (check.health != Health::ok && !check.remedy.empty()) session.out() << "          fix: " << check.remedy << '\n';
}

// The executable beside this one that asks CUDA and CUPTI themselves; absent in a build without CUDA.
Check run_probe(const Session& session) {
  std::error_code problem;
  const auto probe = std::filesystem::read_symlink("/proc/self/exe", problem).parent_path() / "opgate_probe";
  if (problem || !std::filesystem::exists(probe, problem)) {
    return {"probe", Health::unknown, "opgate_probe is not built, so CUDA and CUPTI were not tried", {}};
  }
  const run::CapturedCommand probed = run::capture({probe.string()});
  std::istringstream lines(probed.output);
  for (std::string line; std::getline(lines, line);) {
    if (session.json) {
      session.print({{"check", "probe"}, {"line", line}});
    } else {
      session.out() << "  probe " << line << '\n';
    }
  }
  if (probed.exit_status == 0) return {"probe", Health::ok, "CUDA and CUPTI work", {}};
  return {"probe", Health::fail, fmt::format("opgate_probe ended with exit status {}", probed.exit_status),
          "do what its lines say"};
}

core::ExitCode run_doctor(const Session& session) {
  const std::vector<Check> checks = all_checks(session);
  for (const Check& check : checks) print_check(session, check);
  const Check probe = run_probe(session);
  print_check(session, probe);
  const auto bad =
      std::count_if(checks.begin(), checks.end(), [](const Check& c) { return c.health == Health::fail; }) +
      (probe.health == Health::fail ? 1 : 0);
  if (!session.json) {
    session.out() << (bad == 0 ? "fit to measure\n" : fmt::format("not fit to measure: {} failed\n", bad));
  }
  return bad == 0 ? core::ExitCode::pass : core::ExitCode::cannot_run;
}

}  // namespace

void add_doctor(CLI::App& app, Session& session) {
  CLI::App* doctor = app.add_subcommand("doctor", "Say whether this machine can measure, and what to do where not");
  doctor->callback([&session] { session.action = [&session] { return run_doctor(session); }; });
}

}  // namespace opgate::app
