#pragma once

#include <sys/types.h>

#include <filesystem>
#include <string>
#include <vector>

#include "run/project.hpp"

namespace opgate::run {

// What a ctest process was asked to run. `known` is false when it cannot be found out (a dashboard script, another
// program in ctest's place): then nothing can be missed by name, and the summary says so.
struct Selection {
  bool known = false;
  std::vector<std::string> cases;  // in CTest's order
  std::string command;             // the command line, for people
};

// Asks the same ctest again, with the same selecting options, which tests it lists.
[[nodiscard]] Selection ask_ctest(pid_t ctest, const Project& project);

// The options of a ctest command line that select tests; "-S" and its like make the selection unknown (false).
[[nodiscard]] bool selecting_options(const std::vector<std::string>& command_line, std::vector<std::string>& options);
// Where that ctest looks for its tests: several may share a build folder, each in a test folder of its own that names
// the build folder's tests. A relative --test-dir is relative to nobody knows what, so that the build folder stands in.
[[nodiscard]] std::filesystem::path test_folder(const std::vector<std::string>& command_line, const Project& project);
// The tests of `ctest --show-only=json-v1` that need the fixture opgate_run: the cases. Error(io) for other text.
[[nodiscard]] std::vector<std::string> cases_of(const std::string& show_only_json);

}  // namespace opgate::run
