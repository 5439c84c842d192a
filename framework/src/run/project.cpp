#include "run/project.hpp"

#include <cstdlib>
#include <system_error>
#include <vector>

#include "opgate/error.hpp"
#include "text/file.hpp"
#include "text/json.hpp"

namespace opgate::run {

namespace fs = std::filesystem;

namespace {

constexpr int kProjectVersion = 1;
const fs::path kPlace = fs::path("opgate") / "project.json";

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::string() : std::string(value);
}

bool is_file(const fs::path& path) {
  std::error_code problem;
  return fs::is_regular_file(path, problem);
}

fs::path absolute_path(const text::Json& value) {
  fs::path path = value.as_string();
  if (!path.is_absolute()) {
    throw value.error("'" + path.string() + "' is not an absolute path", "configure the build folder again");
  }
  return path;
}

std::optional<fs::path> upwards(const fs::path& from) {
  for (fs::path folder = from; !folder.empty(); folder = folder.parent_path()) {
    if (is_file(folder / kPlace)) return folder / kPlace;
    if (folder == folder.parent_path()) break;
  }
  return std::nullopt;
}

std::optional<fs::path> only_build(const fs::path& folder) {
  std::error_code problem;
  std::vector<fs::path> found;
  if (is_file(folder / "build" / kPlace)) found.push_back(folder / "build" / kPlace);
  for (const auto& entry : fs::directory_iterator(folder / "build", problem)) {
    if (is_file(entry.path() / kPlace)) found.push_back(entry.path() / kPlace);
  }
  if (found.size() != 1) return std::nullopt;
  return found.front();
}

}  // namespace

Project load_project(const fs::path& file) {
  const text::Json json = text::parse_json(text::read_file(file, ErrorKind::io), file.string(), ErrorKind::io);
  if (json.at("version").as_integer() != kProjectVersion) {
    throw json.at("version").error("this opgate reads version 1 only", "configure the build folder again");
  }
  Project project;
  project.file = file;
  project.source_dir = absolute_path(json.at("source_dir"));
  project.build_dir = absolute_path(json.at("build_dir"));
  project.history = absolute_path(json.at("history"));
  project.baselines = absolute_path(json.at("baselines"));
  project.have_cuda = json.at("have_cuda").as_bool();
  const text::Json* const altered = json.find("altered");
  project.altered = altered != nullptr && altered->as_bool();
  for (const auto& [op, spec] : json.at("specs").as_object()) project.specs.emplace(op, absolute_path(spec));
  return project;
}

SearchRoots search_roots() {
  std::error_code problem;
  return {environment("OPGATE_PROJECT"), fs::read_symlink("/proc/self/exe", problem), fs::current_path(problem)};
}

std::optional<fs::path> locate_project(const SearchRoots& roots) {
  if (!roots.named.empty()) {
    if (is_file(roots.named)) return fs::path(roots.named);
    throw Error(ErrorKind::io, "the file that OPGATE_PROJECT names does not exist", roots.named,
                "set OPGATE_PROJECT to <build folder>/opgate/project.json, or unset it");
  }
  if (auto found = upwards(roots.executable.parent_path())) return found;
  if (auto found = upwards(roots.folder)) return found;
  return only_build(roots.folder);
}

std::optional<Project> find_project() {
  const auto file = locate_project(search_roots());
  if (!file) return std::nullopt;
  return load_project(*file);
}

bool history_is_named(const std::string& option) {
  return !option.empty() || !environment("OPGATE_HISTORY").empty();
}

fs::path find_history(const std::string& option, const std::optional<Project>& project) {
  if (!option.empty()) return option;
  if (const std::string named = environment("OPGATE_HISTORY"); !named.empty()) return named;
  if (project) return project->history;
  throw Error(ErrorKind::history, "no history is named and no configured build folder was found", {},
              "pass --history FILE, set OPGATE_HISTORY, or run inside a configured build folder");
}

bool baselines_are_named(const std::string& option) {
  return !option.empty() || !environment("OPGATE_BASELINES").empty();
}

fs::path find_baselines(const std::string& option, const std::optional<Project>& project) {
  if (!option.empty()) return option;
  if (const std::string named = environment("OPGATE_BASELINES"); !named.empty()) return named;
  if (project) return project->baselines;
  throw Error(ErrorKind::baseline, "no baselines folder is named and no configured build folder was found", {},
              "pass --baselines DIR, set OPGATE_BASELINES, or run inside a configured build folder");
}

}  // namespace opgate::run
