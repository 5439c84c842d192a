#include "run/fixtures.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <optional>
#include <string>
#include <system_error>
#include <vector>

#include "device/fitness.hpp"
#include "report/console.hpp"
#include "run/ctest_run.hpp"
#include "run/gpu_choice.hpp"
#include "run/new_run.hpp"
#include "run/selection.hpp"
#include "run/wall_clock.hpp"
#include "run/what_is_missing.hpp"
#include "store/history.hpp"

namespace opgate::run {
namespace {

using core::ExitCode;

// Absent: go on.
std::optional<ExitCode> machine_unfit(const Project& project, const Environment& environment) {
  if (environment.replay) {
    return std::nullopt;
  }
  std::string absent(project.have_cuda ? "" : kBuiltWithoutCuda);
  if (absent.empty()) {
    Environment any_gpu = environment;
    any_gpu.resource_groups = false;  // CTest assigns GPUs to cases, not to fixtures
    const GpuChoice gpu = choose_gpu(any_gpu);
    if (!gpu.unusable.empty()) {
      throw Error(ErrorKind::device, gpu.unusable, "opgate.machine", "run `opgate doctor`");
    }
    absent = gpu.absent;
    if (absent.empty()) {
      for (const std::string& note : check_fitness(gpu.uuid)) {
        fmt::print("opgate.machine: {}\n", note);
      }
    }
  }
  if (absent.empty()) {
    return std::nullopt;
  }
  fmt::print("opgate.machine: {}: {}\n", environment.require_gpu ? "cannot run" : "skipped", absent);
  if (environment.require_gpu) fmt::print("  fix: {}\n", remedy_without_gpu(absent));
  return environment.require_gpu ? ExitCode::cannot_run : ExitCode::skipped;
}

std::vector<std::string> not_recorded(const std::vector<std::string>& selected,
                                      const std::vector<store::CaseResult>& results) {
  std::vector<std::string> missing;
  std::copy_if(selected.begin(), selected.end(), std::back_inserter(missing), [&](const std::string& name) {
    return std::none_of(results.begin(), results.end(), [&](const store::CaseResult& one) {
      return one.identity.name == name && one.exit_code.has_value();
    });
  });
  return missing;
}

}  // namespace

bool measured_anything(const std::vector<store::CaseResult>& results) {
  return std::any_of(results.begin(), results.end(), [](const store::CaseResult& one) {
    return std::any_of(one.attempts.begin(), one.attempts.end(), [](const core::Attempt& attempt) {
      return attempt.status == core::Status::measured && !attempt.replayed;
    });
  });
}

std::vector<std::string> check_fitness(const std::string& uuid) {
  std::vector<core::Check> checks{device::judge_mps(device::look_for_mps())};
  for (const device::NvmlDevice& device : device::query_nvml().devices) {
    if (device.identity.uuid != uuid) {
      continue;
    }
    const std::vector<core::Check> more =
        device::quick_checks(fmt::format("gpu{}", device.identity.index), device, device::query_state(uuid));
    checks.insert(checks.end(), more.begin(), more.end());
  }
  std::vector<std::string> notes;
  for (const core::Check& check : checks) {
    if (check.health == core::Health::fail) {
      throw Error(ErrorKind::device, fmt::format("{}: {}", check.name, check.detail), "opgate.machine", check.remedy);
    }
    if (check.health == core::Health::note) {
      notes.push_back(fmt::format("{}: {}", check.name, check.detail));
    }
  }
  return notes;
}

ExitCode open_fixture(const Project& project, const Environment& environment) {
  const pid_t ctest = ::getppid();
  remove_left_behind(project.build_dir, ctest);
  if (const auto unfit = machine_unfit(project, environment)) {
    return *unfit;
  }
  store::History history = store::History::open_for_writing(project.history);
  const Selection selection = ask_ctest(ctest, project);
  const std::int64_t run =
      open_separate_run(history, new_run("ctest", environment.replay.has_value(), project, selection.command));
  if (selection.known) {
    history.select(run, selection.cases);
  } else {
    fmt::print(
        "opgate.machine: which cases were selected cannot be found out from \"{}\"; a case that never starts will not "
        "be missed\n",
        selection.command);
  }
  write_open_run(open_run_path(project.build_dir, ctest),
                 {.id = run, .history = project.history, .ctest_start = start_of_process(ctest)});
  fmt::print("opgate.machine: run {} opened in {}, {} case(s) selected\n", run, project.history.string(),
             selection.cases.size());
  return ExitCode::pass;
}

ExitCode close_fixture(const Project& project, const Environment& environment) {
  const std::filesystem::path path = open_run_path(project.build_dir, ::getppid());
  const std::optional<OpenRun> open = open_run_of(project.build_dir, ::getppid());
  if (!open) {
    fmt::print("opgate.complete: {}: no run was opened, nothing was measured\n",
               environment.require_gpu ? "cannot run" : "skipped");
    if (environment.require_gpu) fmt::print("  fix: mend what opgate.machine printed\n");
    return environment.require_gpu ? ExitCode::cannot_run : ExitCode::skipped;
  }
  store::History history = store::History::open_for_writing(open->history);
  history.close_run(open->id, unix_ms());
  const std::optional<store::RunInfo> run = history.run(open->id);
  if (!run) {
    throw Error(ErrorKind::history, fmt::format("run {} is gone from the history", open->id), open->history.string(),
                "do not replace the history while ctest runs");
  }
  const auto results = history.results({.run_id = open->id, .case_name = {}, .limit = -1, .with_samples = false});
  fmt::print("{}", report::run_summary(*run, results));
  const bool twice =
      std::any_of(results.begin(), results.end(), [](const store::CaseResult& one) { return one.times_recorded > 1; });
  const bool nothing = environment.require_gpu && !measured_anything(results);
  if (nothing) {
    fmt::print("opgate.complete: nothing was measured, although OPGATE_REQUIRE_GPU=1\n");
  }
  if (twice || nothing || !not_recorded(run->selected, results).empty()) {
    // The file stays: closed again by `ctest --repeat`, the run must fail again instead of being none.
    return ExitCode::cannot_run;
  }
  std::error_code ignored;
  std::filesystem::remove(path, ignored);
  return ExitCode::pass;
}

}  // namespace opgate::run
