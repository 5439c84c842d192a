#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/exit_code.hpp"
#include "run/environment.hpp"
#include "run/project.hpp"
#include "run/request.hpp"
#include "run/terminal.hpp"
#include "run/world.hpp"

namespace opgate::run {

// What the supervisor of a case is given by app.
struct Supervision {
  CaseOptions options;
  std::vector<std::string> arguments;  // the command line, for the workers
  Environment environment;
  std::optional<Project> project;
  WorldFactory make_world;  // empty: built without CUDA
  std::string executable;   // as the user would type it
  Terminal terminal;        // what reads the output
};

// Runs one case to its end in worker processes, stores it, judges it, prints it. Never initialises CUDA itself, except
// for --check and --profile, which run in this process so that tools see it. Throws Error when the case cannot begin;
// once it has begun, whatever happens to a worker is a stored row and an exit code.
[[nodiscard]] core::ExitCode supervise(const Supervision& supervision);

// The worker's side: one attempt, told line by line over options.worker_fd.
void work(const CaseRequest& request, const CaseOptions& options, const WorldFactory& make_world);

}  // namespace opgate::run
