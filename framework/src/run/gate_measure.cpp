#include "run/gate_measure.hpp"

#include <unistd.h>

#include <chrono>
#include <system_error>
#include <utility>

#include "opgate/error.hpp"
#include "run/build_difference.hpp"
#include "run/ctest_run.hpp"
#include "run/new_run.hpp"
#include "run/wall_clock.hpp"

namespace opgate::run {
namespace {

// A supervisor bounds its workers itself, inside timeout_s.
constexpr std::chrono::seconds kSpare{10};

}  // namespace

GateRun::GateRun(const Project& project, const std::vector<std::string>& selected, std::filesystem::path logs)
    : project_(project), logs_(std::move(logs)), history_(store::History::open_for_writing(project.history)) {
  std::filesystem::create_directories(logs_);
  id_ = open_separate_run(history_, new_run("gate", false, project, "opgate gate"));
  history_.select(id_, selected);
  write_open_run(open_run_path(project.build_dir, ::getpid()),
                 {.id = id_, .history = project.history, .ctest_start = start_of_process(::getpid())});
}

GateRun::~GateRun() {
  std::error_code ignored;
  std::filesystem::remove(open_run_path(project_.build_dir, ::getpid()), ignored);
  try {
    history_.close_run(id_, unix_ms());
  } catch (const Error&) {
    // It stays open in the history, which is what happened to it.
    return;
  }
}

GateRun::Measured GateRun::measure(const std::string& case_name, int timeout_s) {
  Measured measured;
  measured.log = logs_ / (case_name + ".txt");
  ChildCommand command;
  command.program = case_executable({"candidate", project_}, case_name.substr(0, case_name.find('.')));
  command.arguments = {case_name};
  command.environment = {{"OPGATE_PROJECT", project_.file.string()},
                         {"OPGATE_BASELINES", project_.baselines.string()},
                         {"OPGATE_HISTORY", project_.history.string()},
                         {"OPGATE_REQUIRE_GPU", "1"},
                         {"OPGATE_REQUIRE_BASELINE", "1"},
                         {"OPGATE_INCONCLUSIVE", ""}};
  measured.end =
      run_logged(command, measured.log, std::chrono::steady_clock::now() + std::chrono::seconds(timeout_s) + kSpare);
  auto results = history_.results({.run_id = id_, .case_name = case_name, .limit = 1, .with_samples = true});
  if (!results.empty()) measured.result = std::move(results.front());
  return measured;
}

}  // namespace opgate::run
