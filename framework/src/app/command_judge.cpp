#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>

#include "app/command_result.hpp"
#include "app/command_table.hpp"
#include "app/command_text.hpp"
#include "app/joined_runs.hpp"
#include "opgate/error.hpp"
#include "run/environment.hpp"
#include "run/fixtures.hpp"
#include "run/wall_clock.hpp"
#include "store/baseline_file.hpp"
#include "store/waiver_file.hpp"

namespace opgate::app {

namespace {

struct Words {
  RunWords run;
  std::optional<std::int64_t> confirm_run;
  bool check = false;
};

struct Judged {
  std::string name;
  std::string verdict;
  core::ExitCode code = core::ExitCode::pass;
  core::Judgement judgement;
  std::int64_t run = 0;
};

// Each baseline file is read once, however many cases it holds.
class Baselines {
 public:
  explicit Baselines(std::filesystem::path folder)
      : folder_(std::move(folder)), waivers_(store::load_waivers(folder_)) {}

  std::optional<core::CaseBaseline> find(const std::string& device_name, const core::CaseIdentity& identity) {
    const auto path = store::baseline_path(folder_, device_name, identity.op);
    auto file = files_.find(path);
    if (file == files_.end())
      file = files_.emplace(path, store::load_baselines_of(folder_, device_name, identity.op)).first;
    if (!file->second) return std::nullopt;
    const auto entry = file->second->cases.find(identity.name);
    if (entry == file->second->cases.end()) return std::nullopt;
    return entry->second.baseline;
  }
  [[nodiscard]] std::optional<core::Waiver> waiver(const std::string& case_name, const std::string& device) const {
    return store::find_waiver(waivers_, case_name, device);
  }

 private:
  std::filesystem::path folder_;
  std::vector<store::LoadedWaiver> waivers_;
  std::map<std::filesystem::path, std::optional<store::BaselineFile>> files_;
};

std::map<std::string, core::CaseRun> confirmations(const Session& session, const store::History& history,
                                                   std::int64_t run_id) {
  std::map<std::string, core::CaseRun> found;
  for (const store::CaseResult& result : filtered_results(session, history, require_run(history, run_id).id)) {
    if (auto run = measured_run(result)) found.emplace(result.identity.name, std::move(*run));
  }
  return found;
}

// How a result ended that gave nothing to judge.
Judged not_judged(const store::CaseResult& result) {
  Judged judged{result.identity.name, outcome_of(result), core::ExitCode::cannot_run, {}, 0};
  if (result.attempts.empty() || !result.exit_code) {
    judged.verdict = core::to_string(core::Status::running);
    judged.judgement.reason = "the case was opened and never closed: its process died";
    return judged;
  }
  judged.code = *result.exit_code;
  const core::Attempt& attempt = result.attempts.back();
  judged.judgement.reason = attempt.message.substr(0, attempt.message.find('\n'));
  if (judged.judgement.reason.empty()) judged.judgement.reason = core::meaning(judged.code);
  return judged;
}

bool has_verdict(const store::CaseResult& result) {
  if (!result.exit_code || deciding_attempt(result) == nullptr) return false;
  switch (*result.exit_code) {
    case core::ExitCode::pass:
    case core::ExitCode::regression:
    case core::ExitCode::inconclusive:
    case core::ExitCode::no_baseline:
      return true;
    case core::ExitCode::cannot_run:  // a good reading whose baseline could not be read then
      return result.attempts.front().status == core::Status::measured && !result.judgement;
    default:
      return false;
  }
}

// A lone reading beyond its limit is regressed. Where a case asked for a fresh process in vain, or the only ones were
// spent on readings in doubt, it waits for one.
core::Judgement hold_unconfirmed(core::Judgement judgement, const store::CaseResult& result,
                                 std::size_t confirmations) {
  const bool left_open = result.judgement && result.judgement->verdict == core::Verdict::inconclusive;
  const bool unconfirmed = confirmations == static_cast<std::size_t>(judgement.set_aside);
  const bool replaced = judgement.set_aside > 0;
  if (judgement.verdict != core::Verdict::regressed || !unconfirmed || !(left_open || replaced)) return judgement;
  judgement.verdict = core::Verdict::inconclusive;
  const std::string doubted = judgement.set_aside == 1 ? "the first reading was"
                                                       : fmt::format("the first {} readings were", judgement.set_aside);
  judgement.reason =
      (replaced ? doubted +
                      " in doubt, and the fresh process judged in its place is slower than the limit, but no "
                      "other one could confirm it: "
                : "slower than the limit, but no fresh worker could confirm it: ") +
      judgement.reason;
  return judgement;
}

Judged judge_result(const store::CaseResult& result, const std::vector<core::CaseRun>& confirmations,
                    Baselines& baselines, const run::Environment& environment, const std::string& today) {
  if (result.times_recorded > 1) {
    Judged judged{result.identity.name, "recorded-twice", core::ExitCode::cannot_run, {}, 0};
    judged.judgement.reason = fmt::format("recorded {} times in this run", result.times_recorded);
    return judged;
  }
  const auto run = has_verdict(result) ? measured_run(result) : std::nullopt;
  if (!run) return not_judged(result);
  Judged judged{result.identity.name, {}, core::ExitCode::pass, {}, 0};
  judged.judgement =
      core::judge(baselines.find(run->conditions.device_name, result.identity), *run, confirmations, result.rule);
  judged.judgement = hold_unconfirmed(std::move(judged.judgement), result, confirmations.size());
  judged.judgement = core::waive(std::move(judged.judgement),
                                 baselines.waiver(result.identity.name, run->conditions.device_name), today);
  judged.verdict = core::to_string(judged.judgement.verdict);
  judged.code = core::exit_code_of(judged.judgement, environment.require_baseline, environment.inconclusive_is_warning);
  return judged;
}

// What makes a run red that its cases do not tell.
void check_runs(const Session& session, const JoinedRuns& joined, const std::vector<store::CaseResult>& results,
                bool require_gpu, std::vector<core::ExitCode>& codes) {
  for (const store::RunInfo& run : joined.runs) {
    if (run.closed_unix_ms) continue;
    session.err() << fmt::format(
        "opgate: run {} was never closed\n  fix: let opgate.complete run, or judge a closed run\n", run.id);
    codes.push_back(core::ExitCode::cannot_run);
  }
  if (require_gpu && !run::measured_anything(results)) {
    session.err() << fmt::format(
        "opgate: {} measured nothing, although OPGATE_REQUIRE_GPU=1\n  fix: run it on a machine with a GPU\n",
        name_of(joined));
    codes.push_back(core::ExitCode::cannot_run);
  }
}

// Cases that the run selected and never recorded.
std::vector<Judged> missing_cases(const Session& session, const store::RunInfo& run,
                                  const std::vector<store::CaseResult>& results) {
  std::vector<Judged> missing;
  for (const std::string& name : run.selected) {
    const bool recorded = std::any_of(results.begin(), results.end(),
                                      [&](const store::CaseResult& result) { return result.identity.name == name; });
    if (recorded || !session.matches(name)) continue;
    missing.push_back({name, "missing", core::ExitCode::cannot_run, {}, 0});
    missing.back().judgement.reason = "selected for this run, but nothing was recorded";
    missing.back().run = run.id;
  }
  return missing;
}

void print_json(const Session& session, const Judged& judged) {
  const core::Judgement& judgement = judged.judgement;
  const bool has_metric = judgement.measured_ns.has_value();
  session.print({{"case", judged.name},
                 {"verdict", judged.verdict},
                 {"metric", has_metric ? Json(core::to_string(judgement.metric)) : Json(nullptr)},
                 {"baseline_ns", or_null(judgement.baseline_ns)},
                 {"measured_ns", or_null(judgement.measured_ns)},
                 {"change_pct", or_null(judgement.change_pct)},
                 {"threshold_pct", or_null(judgement.threshold_pct)},
                 {"detectable_pct", or_null(judgement.detectable_pct)},
                 {"reason", judgement.reason},
                 {"notes", judgement.notes},
                 {"set_aside", judgement.set_aside},
                 {"rule_version", judgement.rule_version},
                 {"origin_change_pct", or_null(judgement.origin_change_pct)},
                 {"subtick_change_pct", or_null(judgement.subtick_change_pct)},
                 {"waiver", report::waiver_json(judgement.waiver)},
                 {"run", judged.run},
                 {"exit_code", static_cast<int>(judged.code)}});
}

constexpr std::size_t kSkipsTold = 3;

// Many cases skipped for one reason are one row: the rows that need a person must not drown in them.
std::vector<std::vector<std::string>> rows_of_skipped(const std::vector<Judged>& all) {
  std::map<std::string, std::vector<std::string>> by_reason;
  for (const Judged& judged : all) {
    if (judged.code == core::ExitCode::skipped) by_reason[judged.judgement.reason].push_back(judged.name);
  }
  std::vector<std::vector<std::string>> rows;
  for (const auto& [reason, names] : by_reason) {
    if (names.size() > kSkipsTold) {
      rows.push_back({"skipped", plural(names.size(), "case"), "-", "-", "-", "-", reason});
      continue;
    }
    for (const std::string& name : names) rows.push_back({"skipped", name, "-", "-", "-", "-", reason});
  }
  return rows;
}

void print_text(const Session& session, const JoinedRuns& joined, const std::vector<Judged>& all,
                std::size_t replayed) {
  const store::RunInfo& run = joined.whole;
  session.out() << fmt::format("{} of {}, {}\n", name_of(joined), utc(run.started_unix_ms),
                               run.commit.empty() ? "commit unknown" : "commit " + run.commit.substr(0, 12));
  std::vector<std::vector<std::string>> rows{{"verdict", "case", "measured", "baseline", "change", "limit", "reason"}};
  std::map<std::string, std::size_t> counts;
  for (const Judged& judged : all) {
    const std::string verdict = judged.judgement.waiver ? judged.verdict + ", waived" : judged.verdict;
    ++counts[verdict];
    if (judged.code == core::ExitCode::skipped) continue;
    const core::Judgement& judgement = judged.judgement;
    rows.push_back({verdict, judged.name, milliseconds(judgement.measured_ns), milliseconds(judgement.baseline_ns),
                    change(judgement.change_pct), percent(judgement.threshold_pct), judgement.reason});
  }
  for (std::vector<std::string>& row : rows_of_skipped(all)) rows.push_back(std::move(row));
  std::vector<std::string> words;
  words.reserve(counts.size());
  for (const auto& [verdict, count] : counts) words.push_back(fmt::format("{} {}", count, verdict));
  const std::string source =
      run.replayed || replayed > 0 ? fmt::format(", {} replayed from recorded traces, NOT MEASURED", replayed) : "";
  session.out() << table(rows) << plural(all.size(), "case") << source << ": " << app::joined(words) << '\n';
}

core::ExitCode run_judge(const Session& session, const Words& words) {
  const run::Environment environment = run::read_environment();
  const store::History history = session.read_history();
  const JoinedRuns joined = join_runs(history, words.run);
  const store::RunInfo& run = joined.whole;
  // What makes a run red may lie in cases that the filter leaves out.
  const auto results = results_of(session, history, joined, !words.check);
  const auto confirming =
      words.confirm_run ? confirmations(session, history, *words.confirm_run) : std::map<std::string, core::CaseRun>();
  Baselines baselines(session.baselines_path());
  const std::string today = core::date_of(run::unix_ms());

  std::vector<Judged> all;
  std::size_t replayed = 0;
  for (const store::CaseResult& result : results) {
    if (!session.matches(result.identity.name)) continue;
    replayed += is_replayed(result) ? 1 : 0;
    const auto found = confirming.find(result.identity.name);
    std::vector<core::CaseRun> confirmations = own_confirmations(result);
    if (found != confirming.end()) confirmations.push_back(found->second);
    all.push_back(judge_result(result, confirmations, baselines, environment, today));
    all.back().run = result.run_id;
  }
  if (words.check) {
    for (Judged& missing : missing_cases(session, run, results)) all.push_back(std::move(missing));
  }
  if (all.empty()) {
    throw Error(ErrorKind::history, fmt::format("{} holds no case{}", name_of(joined), session.filter_words()),
                history.path().string(), "choose another run or another filter");
  }
  std::sort(all.begin(), all.end(), [](const Judged& a, const Judged& b) { return a.name < b.name; });

  std::vector<core::ExitCode> codes;
  codes.reserve(all.size());
  for (const Judged& judged : all) codes.push_back(judged.code);
  if (session.json) {
    for (const Judged& judged : all) print_json(session, judged);
  } else {
    print_text(session, joined, all, replayed);
  }
  if (words.check) check_runs(session, joined, results, environment.require_gpu, codes);
  return core::worst(codes);
}

}  // namespace

void add_judge(Command app, Session& session) {
  auto words = std::make_shared<Words>();
  Command judge = app.subcommand("judge", "Judge a stored run against the baseline files; exits with the worst code");
  add_run_options(judge, words->run, "Run to judge");
  judge
      .option("--confirm-run", words->confirm_run,
              "Run that confirms the suspects of the first, or stands in where a clock puts its reading in doubt")
      .type_name("N");
  judge.flag("--check", words->check, "Also fail for selected cases without a result and for a run not closed");
  judge.callback([words, &session] { session.action = [words, &session] { return run_judge(session, *words); }; });
}

}  // namespace opgate::app
