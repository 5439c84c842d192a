#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <set>
#include <system_error>

#include "app/command_ab_view.hpp"
#include "app/command_table.hpp"
#include "app/command_trees.hpp"
#include "app/option_checks.hpp"
#include "app/progress.hpp"
#include "app/session_terminal.hpp"
#include "opgate/error.hpp"
#include "run/environment.hpp"

namespace opgate::app {

namespace {

struct Words {
  std::string base;
  std::string candidate;
  bool all = false;
  bool check = false;
  std::size_t max_pairs = core::SequentialOptions{}.max_pairs;
};

// A case that one tree alone has.
run::PairedCase alone(const std::string& name, bool in_base) {
  run::PairedCase compared;
  compared.name = name;
  compared.end = in_base ? run::PairedEnd::base_only : run::PairedEnd::candidate_only;
  compared.reason = in_base ? "the candidate has no such case" : "the base has no such case";
  compared.code = core::ExitCode::no_baseline;
  return compared;
}

bool nothing_to_hold_against(const run::PairedCase& compared) {
  return compared.code == core::ExitCode::no_baseline || compared.code == core::ExitCode::skipped;
}

// Cases without a verdict are told; they fail the comparison where that is asked for.
core::ExitCode code_of(const run::PairedCase& compared, bool required) {
  if (!nothing_to_hold_against(compared)) return compared.code;
  if (required) return core::ExitCode::no_baseline;
  return compared.code == core::ExitCode::skipped ? core::ExitCode::skipped : core::ExitCode::pass;
}

class Report {
 public:
  Report(const Session& session, std::size_t name_width) : session_(session), name_width_(name_width) {
    if (!session_.json) session_.out() << paired_header(name_width_) << std::flush;
  }
  void add(run::PairedCase compared) {
    if (session_.json) {
      session_.print(paired_json(compared));
    } else {
      session_.out() << paired_row(compared, name_width_);
    }
    session_.out() << std::flush;
    all_.push_back(std::move(compared));
  }
  void close(std::size_t left_out) const {
    if (!session_.json) session_.out() << paired_counts(all_);
    if (left_out > 0) {
      session_.err() << fmt::format("opgate ab: told to stop; {} cases were not compared\n", left_out);
    }
  }
  [[nodiscard]] const std::vector<run::PairedCase>& all() const { return all_; }

 private:
  const Session& session_;
  std::size_t name_width_;
  std::vector<run::PairedCase> all_;
};

core::ExitCode run_ab(const Session& session, const Words& words) {
  const run::Environment environment = run::read_environment();
  refuse_replay(environment);
  const run::BuildTree base = build_tree("base", words.base);
  const run::BuildTree candidate = build_tree("candidate", words.candidate);
  const std::set<std::string> before = cases_of(base, session);
  const std::set<std::string> now = cases_of(candidate, session);
  std::set<std::string> names = before;
  names.insert(now.begin(), now.end());
  if (std::none_of(before.begin(), before.end(), [&](const std::string& name) { return now.contains(name); })) {
    throw Error(ErrorKind::usage, "the two builds have no case" + session.filter_words() + " in common",
                words.base + " and " + words.candidate, "name two build folders of one project, or another filter");
  }
  std::size_t width = 0;
  for (const std::string& name : names) width = std::max(width, name.size());
  const run::PairedOptions options{words.all, words.max_pairs, environment.inconclusive_is_warning,
                                   environment.require_gpu};
  std::optional<run::GpuChoice> gpu;
  const auto choose = [&] { return gpu ? *gpu : gpu.emplace(run::choose_gpu(environment)); };

  Report report(session, width);
  const run::Terminal terminal = terminal_of(session);
  Progress progress(session.err(), terminal.progress, terminal.width, "compare", names.size());
  for (const std::string& name : names) {
    const bool both = before.contains(name) && now.contains(name);
    progress.next(name);
    run::PairedCase compared =
        both ? run::compare_case(name, base, candidate, options, choose) : alone(name, before.contains(name));
    progress.hide();
    report.add(std::move(compared));
    if (report.all().back().stopped) break;
  }
  report.close(names.size() - report.all().size());
  std::vector<core::ExitCode> codes;
  for (const run::PairedCase& compared : report.all()) {
    codes.push_back(code_of(compared, words.check || environment.require_baseline));
  }
  const bool skipped =
      std::all_of(codes.begin(), codes.end(), [](core::ExitCode code) { return code == core::ExitCode::skipped; });
  return skipped ? core::ExitCode::skipped : core::worst(codes);
}

}  // namespace

void add_ab(Command app, Session& session) {
  auto words = std::make_shared<Words>();
  Command ab = app.subcommand(
      "ab",
      "Compare two builds of a project on this GPU, case by case in pairs of fresh processes; exits with the "
      "worst code");
  ab.option("--base", words->base, "Build folder to compare with").type_name("DIR").required().check(not_empty());
  ab.option("--candidate", words->candidate, "Build folder of the change")
      .type_name("DIR")
      .required()
      .check(not_empty());
  ab.flag("--all", words->all, "Measure also cases whose builds are the same byte for byte");
  ab.option("--max-pairs", words->max_pairs, fmt::format("Most pairs of a case, even (default: {})", words->max_pairs))
      .type_name("N")
      .check(pairs_check());
  ab.flag("--check", words->check, "Also fail (4) for cases in one build only, not comparable or skipped");
  ab.callback([words, &session] { session.action = [words, &session] { return run_ab(session, *words); }; });
}

}  // namespace opgate::app
