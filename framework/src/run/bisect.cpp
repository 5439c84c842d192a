#include "run/bisect.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <cstring>
#include <sstream>
#include <system_error>
#include <thread>
#include <utility>

#include "opgate/error.hpp"
#include "run/cached_options.hpp"
#include "run/command.hpp"
#include "run/stop_signals.hpp"
#include "spec/names.hpp"
#include "spec/spec.hpp"
#include "text/file.hpp"

namespace opgate::run {
namespace {

namespace fs = std::filesystem;
using Command = std::vector<std::string>;

constexpr std::size_t kLinesOfOutput = 12;

// Hooks are the user's, for the user's own checkouts; and the words that are looked for are English.
CapturedCommand git(const fs::path& folder, Command words) {
  const Command always{"env", "LC_ALL=C", "git", "-C", folder.string(), "-c", "core.hooksPath=/dev/null"};
  words.insert(words.begin(), always.begin(), always.end());
  return capture(words);
}

std::string line_of(const fs::path& folder, const Command& words) {
  const CapturedCommand finished = git(folder, words);
  return finished.exit_status == 0 ? first_line(finished.output) : std::string();
}

// Without a shell in between, but with standard error in the output.
CapturedCommand capture_all(const Command& words, const fs::path& folder) {
  Command command{"sh", "-c", "exec \"$@\" 2>&1", "sh"};
  command.insert(command.end(), words.begin(), words.end());
  return capture(command, folder);
}

std::string tail_of(const std::string& output) {
  std::size_t begin = output.size();
  for (std::size_t lines = 0; begin > 0 && lines <= kLinesOfOutput; --begin) {
    lines += output[begin - 1] == '\n' ? 1 : 0;
  }
  return output.substr(begin);
}

fs::path top_of(const Project& project) {
  const std::string top = line_of(project.source_dir, {"rev-parse", "--show-toplevel"});
  if (top.empty()) {
    throw Error(ErrorKind::usage, "the project's sources are in no git repository", project.source_dir.string(),
                "bisect in a clone of the project");
  }
  return top;
}

Command build_words(const fs::path& build, const std::string& op) {
  const unsigned jobs = std::max(1U, std::thread::hardware_concurrency());
  return {"cmake", "--build", build.string(), "--target", "op_" + op, "--parallel", std::to_string(jobs)};
}

Command configure_words(const fs::path& source, const fs::path& build, const fs::path& cache,
                        const std::string& generator) {
  Command words{"cmake", "-S", source.string(), "-B", build.string(), "-C", cache.string()};
  if (!generator.empty()) {
    words.insert(words.end(), {"-G", generator});
  }
  return words;
}

Command user_words(const std::string& command, const fs::path& source, const fs::path& build) {
  return {"env",  "OPGATE_BISECT_SOURCE=" + source.string(), "OPGATE_BISECT_BUILD=" + build.string(), "sh", "-c",
          command};
}

// A temporary folder with worktrees of a repository.
class Workplace {
 public:
  explicit Workplace(fs::path repository) : repository_(std::move(repository)) {
    std::string name = (fs::temp_directory_path() / "opgate-bisect-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) {
      throw Error(ErrorKind::io, std::strerror(errno), name, "set TMPDIR to a folder that can be written to");
    }
    folder_ = name;
  }
  Workplace(const Workplace&) = delete;
  Workplace& operator=(const Workplace&) = delete;
  ~Workplace() {
    for (const fs::path& tree : trees_) {
      (void)git(repository_, {"worktree", "remove", "--force", tree.string()});
    }
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
    (void)git(repository_, {"worktree", "prune"});
  }

  [[nodiscard]] fs::path at(const std::string& name) const { return folder_ / name; }
  fs::path check_out(const std::string& name, const std::string& commit) {
    fs::path tree = at(name);
    trees_.push_back(tree);
    if (git(repository_, {"worktree", "add", "--detach", tree.string(), commit}).exit_status != 0) {
      throw Error(ErrorKind::io, "git cannot check out " + commit, tree.string(),
                  "free space in the temporary folder, or run git worktree prune");
    }
    return tree;
  }

 private:
  fs::path repository_;
  fs::path folder_;
  std::vector<fs::path> trees_;
};

// One worktree and its build folder.
class Checkout {
 public:
  Checkout(const BisectRequest& request, const fs::path& relative, fs::path tree, fs::path build, std::string name)
      : request_(request),
        tree_(std::move(tree)),
        source_(tree_ / relative),
        build_(std::move(build)),
        name_(std::move(name)) {}

  [[nodiscard]] const fs::path& tree() const { return tree_; }
  // Why the commit that is checked out has no build of the case; empty when it has.
  [[nodiscard]] std::string build() {
    built_.reset();
    std::error_code problem;
    if (fs::exists(tree_ / ".gitmodules", problem) &&
        git(tree_, {"submodule", "update", "--init", "--recursive"}).exit_status != 0) {
      return "its submodules cannot be checked out";
    }
    for (const Command& words : commands()) {
      const CapturedCommand finished = capture_all(words, tree_);
      if (finished.exit_status != 0) {
        return fmt::format("it cannot be built: {}\n{}", in_one_line(words), tail_of(finished.output));
      }
    }
    return look();
  }
  [[nodiscard]] const BuildTree& built() const { return *built_; }

 private:
  [[nodiscard]] std::vector<Command> commands() const {
    if (request_.build_command) {
      return {user_words(*request_.build_command, source_, build_)};
    }
    const Project& project = request_.project;
    const std::string cache = text::read_file(project.build_dir / "CMakeCache.txt", ErrorKind::io);
    const CachedOptions options = cached_options(cache, project.source_dir, project.build_dir, source_);
    const fs::path script = build_.string() + "-options.cmake";
    text::write_file(script, options.initial_cache, ErrorKind::io);
    return {configure_words(source_, build_, script, options.generator),
            build_words(build_, spec::op_of(request_.case_name))};
  }

  std::string look() {
    try {
      BuildTree tree{name_, load_project(build_ / "opgate" / "project.json")};
      const auto spec = tree.project.specs.find(spec::op_of(request_.case_name));
      if (spec == tree.project.specs.end()) {
        return "it has no such op";
      }
      (void)spec::find_case(spec::load_spec(spec->second), request_.case_name);
      built_ = std::move(tree);
    } catch (const Error& error) {
      return error.what();
    }
    return {};
  }

  const BisectRequest& request_;
  fs::path tree_;
  fs::path source_;
  fs::path build_;
  std::string name_;
  std::optional<BuildTree> built_;
};

CommitIs meaning_of(const PairedCase& compared) {
  if (compared.end == PairedEnd::identical) {
    return CommitIs::good;
  }
  if (compared.end != PairedEnd::judged) {
    return CommitIs::skipped;
  }
  switch (compared.judgement.outcome) {
    case core::PairedOutcome::slower:
      return CommitIs::bad;
    case core::PairedOutcome::unchanged:
    case core::PairedOutcome::faster:
      return CommitIs::good;
    default:
      return CommitIs::skipped;
  }
}

class Bisection {
 public:
  Bisection(const BisectRequest& request, const BisectPlan& plan, const ChooseGpu& choose,
            const std::function<void(const std::string&)>& begin, const std::function<void(const BisectStep&)>& tell)
      : request_(request),
        plan_(plan),
        choose_(choose),
        begin_(begin),
        tell_(tell),
        top_(top_of(request.project)),
        relative_(fs::relative(fs::canonical(request.project.source_dir), fs::canonical(top_))),
        place_(top_),
        good_(request, relative_, place_.check_out("good", plan.good), place_.at("build-good"), "base"),
        candidate_(request, relative_, place_.check_out("candidate", plan.bad), place_.at("build-candidate"),
                   "candidate") {}

  BisectResult run() {
    begin_(plan_.good.substr(0, 12) + " (good)");
    if (const std::string why = good_.build(); !why.empty()) {
      throw Error(ErrorKind::usage, why, "the good commit " + plan_.good.substr(0, 12),
                  "name a good commit that builds, or give --build-command");
    }
    if (const BisectStep step = judge(); step.is != CommitIs::bad) {
      return {std::nullopt, fmt::format("the bad commit is not known to be slower than the good one: {}", step.reason)};
    }
    CapturedCommand answer = git(candidate_.tree(), {"bisect", "start", plan_.bad, plan_.good});
    for (;;) {
      if (auto result = result_of(answer)) {
        return *std::move(result);
      }
      const BisectStep step = judge();
      (void)git(candidate_.tree(), {"reset", "--quiet", "--hard"});  // what the build changed in the sources
      const char* const word = step.is == CommitIs::skipped ? "skip" : to_string(step.is);
      answer = git(candidate_.tree(), {"bisect", word});
    }
  }

 private:
  BisectStep judge() {
    BisectStep step;
    step.commit = line_of(candidate_.tree(), {"rev-parse", "HEAD"});
    step.subject = line_of(candidate_.tree(), {"log", "-1", "--format=%s"});
    begin_(step.commit.substr(0, 12) + " " + step.subject);
    step.reason = candidate_.build();
    if (step.reason.empty()) {
      step.compared = compare_case(request_.case_name, good_.built(), candidate_.built(), request_.paired, choose_);
      step.is = meaning_of(*step.compared);
      step.reason = step.compared->reason;
    }
    if (stop_requested()) {
      throw Error(ErrorKind::op, "told to stop before the commit was found", request_.case_name, "start it again");
    }
    tell_(step);
    return step;
  }

  // git's own words, https://git-scm.com/docs/git-bisect: the exit code does not tell "found" from "go on".
  [[nodiscard]] std::optional<BisectResult> result_of(const CapturedCommand& answer) const {
    const std::size_t found = answer.output.find(" is the first bad commit");
    if (found != std::string::npos) {
      const std::size_t line = answer.output.rfind('\n', found);
      const std::string commit = answer.output.substr(line == std::string::npos ? 0 : line + 1, 40);
      return BisectResult{line_of(top_, {"log", "-1", "--format=%H %s", commit}), {}};
    }
    if (answer.output.find("only 'skip'ped commits left") != std::string::npos) {
      return BisectResult{std::nullopt, "only commits that had to be skipped are left"};
    }
    if (answer.exit_status != 0) {
      throw Error(ErrorKind::io, "git bisect failed: " + first_line(answer.output), top_.string(),
                  "bisect by hand with opgate ab");
    }
    return std::nullopt;
  }

  const BisectRequest& request_;
  const BisectPlan& plan_;
  const ChooseGpu& choose_;
  const std::function<void(const std::string&)>& begin_;
  const std::function<void(const BisectStep&)>& tell_;
  fs::path top_;
  fs::path relative_;
  Workplace place_;
  Checkout good_;
  Checkout candidate_;
};

std::string commit_named(const fs::path& top, const std::string& name) {
  std::string commit = line_of(top, {"rev-parse", "--verify", "--quiet", "--end-of-options", name + "^{commit}"});
  if (commit.empty()) {
    throw Error(ErrorKind::usage, "git knows no commit of this name", name, "name a commit, a branch or a tag");
  }
  return commit;
}

}  // namespace

BisectPlan plan_bisect(const BisectRequest& request) {
  const fs::path top = top_of(request.project);
  BisectPlan plan{commit_named(top, request.good), commit_named(top, request.bad), {}, {}};
  if (plan.good == plan.bad || git(top, {"merge-base", "--is-ancestor", plan.good, plan.bad}).exit_status != 0) {
    throw Error(ErrorKind::usage, "the good commit is no ancestor of the bad one", request.good + ".." + request.bad,
                "name the older, faster commit first");
  }
  std::istringstream lines(git(top, {"log", "--reverse", "--format=%H %s", plan.good + ".." + plan.bad}).output);
  for (std::string line; std::getline(lines, line);) {
    plan.commits.push_back(line);
  }
  const fs::path source = "<sources of the commit>";
  const fs::path build = "<temporary build>";
  if (request.build_command) {
    plan.commands = {*request.build_command};
  } else {
    plan.commands = {
        in_one_line(configure_words(source, build, "<options of " + request.project.build_dir.string() + ">", "")),
        in_one_line(build_words(build, spec::op_of(request.case_name)))};
  }
  plan.commands.push_back("opgate ab --base <build of " + plan.good.substr(0, 12) + "> --candidate " + build.string() +
                          " --filter '^" + request.case_name + "$'");
  return plan;
}

// The good commit, the bad one, and git's halving of the rest.
std::size_t steps_of(const BisectPlan& plan) {
  return 2 + static_cast<std::size_t>(std::bit_width(std::max<std::size_t>(plan.commits.size(), 1) - 1));
}

BisectResult bisect(const BisectRequest& request, const BisectPlan& plan, const ChooseGpu& choose,
                    const std::function<void(const std::string& commit)>& begin,
                    const std::function<void(const BisectStep&)>& tell) {
  const StopSignals signals;
  return Bisection(request, plan, choose, begin, tell).run();
}

const char* to_string(CommitIs is) {
  switch (is) {
    case CommitIs::good:
      return "good";
    case CommitIs::bad:
      return "bad";
    case CommitIs::skipped:
      return "skipped";
  }
  return "unknown";
}

}  // namespace opgate::run
