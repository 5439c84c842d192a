#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>

namespace opgate::run {

// What configure wrote into the build tree: <build>/opgate/project.json.
struct Project {
  std::filesystem::path file;
  std::filesystem::path source_dir;
  std::filesystem::path build_dir;
  std::map<std::string, std::filesystem::path> specs;  // op -> spec
  std::filesystem::path history;
  std::filesystem::path baselines;
  bool have_cuda = false;
  bool altered = false;  // some op is built otherwise than its sources say, for tests of the gate
};

// Error(io) naming file:line and the fix.
[[nodiscard]] Project load_project(const std::filesystem::path& file);

// Where find_project looks; tests give their own.
struct SearchRoots {
  std::string named;                 // OPGATE_PROJECT; empty: not named
  std::filesystem::path executable;  // the running program
  std::filesystem::path folder;      // the current folder
};
[[nodiscard]] SearchRoots search_roots();

// The file: the named one, else up from the program's folder, else up from the current folder, else the only
// of build/opgate/project.json and build/*/opgate/project.json below it. Error(io) when a named one is missing.
[[nodiscard]] std::optional<std::filesystem::path> locate_project(const SearchRoots& roots);
[[nodiscard]] std::optional<Project> find_project();

// True when an option or the environment names the file, so that a missing one is an error and not "nothing yet".
[[nodiscard]] bool history_is_named(const std::string& option);
// The option, then OPGATE_HISTORY, then the project's. Error(history) when none names one.
[[nodiscard]] std::filesystem::path find_history(const std::string& option, const std::optional<Project>& project);
[[nodiscard]] bool baselines_are_named(const std::string& option);
// The option, then OPGATE_BASELINES, then the project's. Error(baseline) when none names one.
[[nodiscard]] std::filesystem::path find_baselines(const std::string& option, const std::optional<Project>& project);

}  // namespace opgate::run
