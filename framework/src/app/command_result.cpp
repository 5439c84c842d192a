#include "app/command_result.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/figures.hpp"
#include "opgate/error.hpp"

namespace opgate::app {

const core::Attempt* deciding_attempt(const store::CaseResult& result) {
  const auto found = std::find_if(result.attempts.begin(), result.attempts.end(), [](const core::Attempt& attempt) {
    return attempt.status == core::Status::measured && attempt.purpose != "confirm";
  });
  return found == result.attempts.end() ? nullptr : &*found;
}

std::optional<core::CaseRun> measured_run(const store::CaseResult& result) {
  const core::Attempt* attempt = deciding_attempt(result);
  if (attempt == nullptr) return std::nullopt;
  return store::case_run(result, *attempt);
}

std::vector<core::CaseRun> own_confirmations(const store::CaseResult& result) {
  std::vector<core::CaseRun> runs;
  for (const core::Attempt& attempt : result.attempts) {
    if (attempt.status != core::Status::measured || attempt.purpose != "confirm") continue;
    if (auto run = store::case_run(result, attempt)) runs.push_back(std::move(*run));
  }
  return runs;
}

std::optional<double> median_busy_ns(const store::CaseResult& result) {
  const core::Attempt* attempt = deciding_attempt(result);
  if (attempt == nullptr) return std::nullopt;
  for (const core::ImplementationResult& implementation : attempt->implementations) {
    if (implementation.measurement.name.empty()) return core::figures_of(implementation).busy_ns;
  }
  return std::nullopt;
}

std::string outcome_of(const store::CaseResult& result) {
  const auto ended = result.exit_code;
  const bool judged = !ended || *ended == core::ExitCode::pass || *ended == core::ExitCode::regression ||
                      *ended == core::ExitCode::inconclusive || *ended == core::ExitCode::no_baseline;
  if (judged && deciding_attempt(result) != nullptr) {
    return result.judgement ? core::to_string(result.judgement->verdict) : core::to_string(core::Status::measured);
  }
  return result.attempts.empty() ? core::to_string(core::Status::running)
                                 : core::to_string(result.attempts.back().status);
}

std::vector<store::CaseResult> results_of(const store::History& history, std::int64_t run_id, bool with_samples) {
  store::Page page;
  page.run_id = run_id;
  page.with_samples = with_samples;
  return history.results(page);
}

std::vector<store::CaseResult> filtered_results(const Session& session, const store::History& history,
                                                std::int64_t run_id) {
  if (session.filter.empty()) return results_of(history, run_id, true);
  std::vector<store::CaseResult> results;
  for (const std::string& name : history.case_names(run_id)) {
    if (!session.matches(name)) continue;
    for (store::CaseResult& result : history.results({run_id, name, -1, true})) results.push_back(std::move(result));
  }
  return results;
}

store::RunInfo require_run(const store::History& history, std::optional<std::int64_t> id) {
  if (id) {
    if (auto run = history.run(*id)) return *run;
    throw Error(ErrorKind::history, fmt::format("there is no run {}", *id), history.path().string(),
                "choose one of those that opgate runs lists");
  }
  const auto newest = history.runs(1);
  if (!newest.empty()) return newest.front();
  throw Error(ErrorKind::history, "the history holds no run", history.path().string(),
              "run the cases with ctest, or opgate import a file");
}

}  // namespace opgate::app
