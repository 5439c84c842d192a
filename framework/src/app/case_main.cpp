#include "app/case_main.hpp"

#include <fmt/format.h>
#include <array>
#include <cstdio>
#include <filesystem>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "app/case_options.hpp"
#include "core/exit_code.hpp"
#include "run/environment.hpp"
#include "run/project.hpp"
#include "run/resolve.hpp"
#include "run/supervisor.hpp"
#include "run/terminal.hpp"
#include "text/file.hpp"

namespace opgate::app {
namespace {

using core::ExitCode;

// A verdict that nobody was told is none.
bool output_is_whole() {
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) {
    return true;
  }
  fmt::print(stderr, "opgate: the output could not be written\n  fix: check the disk or the pipe\n");
  return false;
}

ExitCode run_case(int argc, char** argv, run::CaseOptions options, const run::WorldFactory& make_world) {
  run::Supervision supervision;
  supervision.options = std::move(options);
  supervision.arguments.assign(argv + 1, argv + argc);
  supervision.environment = run::read_environment();
  supervision.project = run::find_project();
  supervision.make_world = make_world;
  supervision.executable = argv[0];
  supervision.terminal = run::look_at_terminal();
  if (supervision.options.worker_fd < 0) {
    if (supervision.options.record) text::check_writable(*supervision.options.record, ErrorKind::trace);
    return run::supervise(supervision);
  }
  const run::CaseRequest request =
      run::resolve_request(supervision.options, supervision.environment, supervision.project);
  run::work(request, supervision.options, make_world);
  // The result is told. Destroying the context and unloading CUPTI would cost more than the measurement.
  std::fflush(nullptr);
  std::_Exit(0);
}

}  // namespace

int case_main(int argc, char** argv, const run::WorldFactory& make_world) {
  auto parsed = parse_case_options(argc, argv);
  if (const auto* code = std::get_if<ExitCode>(&parsed)) {
    return static_cast<int>(*code);
  }
  try {
    const ExitCode code = run_case(argc, argv, std::move(std::get<run::CaseOptions>(parsed)), make_world);
    return static_cast<int>(output_is_whole() ? code : core::worst(std::array{code, ExitCode::cannot_run}));
  } catch (const Error& error) {
    fmt::print(stderr, "{}\n", error.what());
    return static_cast<int>(core::exit_code_of(error.kind()));
  } catch (const std::filesystem::filesystem_error& error) {
    fmt::print(stderr, "opgate: {}\n  fix: use paths that exist and are not too long\n", error.what());
    return static_cast<int>(ExitCode::cannot_run);
  } catch (const std::exception& error) {
    fmt::print(stderr, "opgate: {}\n  fix: report this as a defect of opgate\n", error.what());
    return static_cast<int>(ExitCode::cannot_run);
  }
}

}  // namespace opgate::app
