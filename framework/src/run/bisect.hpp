#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "run/paired_case.hpp"
#include "run/project.hpp"

namespace opgate::run {

struct BisectRequest {
  Project project;  // a configured build folder, whose options the builds of the commits take over
  std::string case_name;
  std::string good;  // any name of a commit
  std::string bad;
  std::optional<std::string> build_command;  // instead of cmake: for sh, in the sources of the commit
  PairedOptions paired;
};

// The range and what would be run for each of its commits.
struct BisectPlan {
  std::string good;  // full hashes
  std::string bad;
  std::vector<std::string> commits;  // that may be the first bad one, oldest first: "<hash> <subject>"
  std::vector<std::string> commands;
};

enum class CommitIs : std::uint8_t { good, bad, skipped };

struct BisectStep {
  std::string commit;
  std::string subject;
  CommitIs is = CommitIs::skipped;
  std::string reason;
  std::optional<PairedCase> compared;  // with the good commit; absent when it could not be built
};

struct BisectResult {
  std::optional<std::string> first_bad;  // "<hash> <subject>"
  std::string why_not;                   // when there is none
};

// Error(usage) when the commits or their order are none that can be bisected.
[[nodiscard]] BisectPlan plan_bisect(const BisectRequest& request);
// How many builds and comparisons it takes when no commit has to be skipped.
[[nodiscard]] std::size_t steps_of(const BisectPlan& plan);

// Finds the commit that made the case slower: git bisect over worktrees in a temporary folder, each commit built and
// compared with the good one. Commits that cannot be built or decided are skipped. Worktrees, builds and git's notes
// of the bisection are gone afterwards, whatever happens. `begin` hears what each step is before it is taken, `tell`
// what came of it.
[[nodiscard]] BisectResult bisect(const BisectRequest& request, const BisectPlan& plan, const ChooseGpu& choose,
                                  const std::function<void(const std::string& commit)>& begin,
                                  const std::function<void(const BisectStep&)>& tell);

[[nodiscard]] const char* to_string(CommitIs is);

}  // namespace opgate::run
