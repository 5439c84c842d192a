#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>

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

}  // namespace

int main(int argc, char** argv) {
  CLI::App options("Measure with CUDA and CUPTI whether this machine can be trusted; `opgate doctor` runs it");
  bool json = false;
  bool ceilings = false;
  bool neighbour = false;
  std::string broken;
  options.add_flag("--json", json, "Print one JSON object per line");
  options.add_flag("--ceilings", ceilings, "Measure instead how fast memory and tensor cores are at most");
  options.add_option("--break", broken)->group("");  // for tests
  options.add_flag("--neighbour", neighbour)->group("");
  try {
    options.parse(argc, argv);
    if (neighbour) return app::be_a_neighbour();
    const std::optional<measure::Fault> fault = measure::parse_fault(broken);
    if (!fault) throw CLI::ValidationError("--break", "there is no fault " + broken);
    return probe(json, ceilings, *fault);
  } catch (const CLI::ParseError& problem) {
    return options.exit(problem) == 0 ? 0 : static_cast<int>(core::ExitCode::usage);
  } catch (const std::exception& problem) {
    fmt::print(stderr, "opgate_probe: {}\n", problem.what());
    return static_cast<int>(core::ExitCode::cannot_run);
  }
}
