#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "app/command_parser.hpp"
#include "app/probe_neighbour.hpp"
#include "app/probe_report.hpp"
#include "app/probe_steps.hpp"
#include "core/exit_code.hpp"
#include "measure/doctor_readings.hpp"

// opgate_probe: what `opgate doctor` cannot see without CUDA. One check after another, told as it is made; exit 0 when
// none failed.
namespace {

using namespace opgate;

int probe(bool json, bool ceilings, measure::Fault fault) {
  app::ProbeReport report(json);
  std::optional<app::Neighbour> neighbour;
  if (fault == measure::Fault::second_process) neighbour.emplace();
  if (ceilings) {
    app::run_ceiling_steps(report);
  } else {
    app::run_probe_steps(report, fault);
  }
  return static_cast<int>(report.failed() == 0 ? core::ExitCode::pass : core::ExitCode::cannot_run);
}

int usage_error(const std::string& what) {
  fmt::print(stderr, "{}\nRun with --help for more information.\n", what);
  return static_cast<int>(core::ExitCode::usage);
}

}  // namespace

int main(int argc, char** argv) {
  app::CommandParser parser(argc > 0 ? argv[0] : "opgate_probe",
                            "Measure with CUDA and CUPTI whether this machine can be trusted; `opgate doctor` runs it");
  app::Command options = parser.root();
  bool json = false;
  bool ceilings = false;
  bool neighbour = false;
  std::string broken;
  options.flag("--json", json, "Print one JSON object per line");
  options.flag("--ceilings", ceilings, "Measure instead how fast memory and tensor cores are at most");
  options.option("--break", broken).hidden();  // for tests
  options.flag("--neighbour", neighbour).hidden();
  try {
    const app::Parsed parsed = parser.parse({argv + std::min(argc, 1), argv + argc});
    if (const auto* answer = std::get_if<app::Answer>(&parsed)) {
      fmt::print("{}", answer->text);
      return 0;
    }
    if (const auto* problem = std::get_if<app::UsageProblem>(&parsed)) return usage_error(problem->what);
    if (neighbour) return app::be_a_neighbour();
    const std::optional<measure::Fault> fault = measure::parse_fault(broken);
    if (!fault) return usage_error("--break: there is no fault " + broken);
    return probe(json, ceilings, *fault);
  } catch (const std::exception& problem) {
    fmt::print(stderr, "opgate_probe: {}\n", problem.what());
    return static_cast<int>(core::ExitCode::cannot_run);
  }
}
