#include "app/command_trees.hpp"

#include <charconv>
#include <system_error>

#include "opgate/error.hpp"
#include "run/project.hpp"
#include "spec/spec.hpp"

namespace opgate::app {

run::BuildTree build_tree(const std::string& name, const std::filesystem::path& folder) {
  std::error_code problem;
  const auto file = std::filesystem::absolute(folder) / "opgate" / "project.json";
  if (!std::filesystem::is_regular_file(file, problem)) {
    throw Error(ErrorKind::usage, "this is no configured build folder of a project with ops", folder.string(),
                "configure it with cmake, and name the folder that holds opgate/project.json");
  }
  return {name, run::load_project(file)};
}

std::set<std::string> cases_of(const run::BuildTree& tree, const Session& session) {
  std::set<std::string> names;
  for (const auto& [op, path] : tree.project.specs) {
    for (const spec::Case& one : spec::expand(spec::load_spec(path))) {
      if (std::string name = one.workload.case_name(); session.matches(name)) names.insert(std::move(name));
    }
  }
  return names;
}

void refuse_replay(const run::Environment& environment) {
  if (!environment.replay) return;
  throw Error(ErrorKind::usage, "recorded traces are of one build and cannot be compared", "OPGATE_REPLAY",
              "unset OPGATE_REPLAY");
}

WordCheck pairs_check() {
  return [](const std::string& word) {
    int pairs = 0;
    const auto [end, problem] = std::from_chars(word.data(), word.data() + word.size(), pairs);
    const bool good =
        problem == std::errc() && end == word.data() + word.size() && pairs >= 4 && pairs <= 64 && pairs % 2 == 0;
    return good ? std::string() : "\"" + word + "\" is no even number from 4 to 64";
  };
}

}  // namespace opgate::app
