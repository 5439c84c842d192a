#include "run/settle.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "store/baseline_file.hpp"
#include "store/waiver_file.hpp"

namespace opgate::run {
namespace {

constexpr int kMaxConfirmations = 2;

std::optional<core::CaseBaseline> stored_baseline(const store::CaseResult& result,
                                                  const std::filesystem::path& baselines) {
  const std::string& device = result.attempts.front().device.name;
  auto entry = store::find_baseline(baselines, device, result.identity.op, result.identity.name);
  return entry ? std::optional(std::move(entry->baseline)) : std::nullopt;
}

bool is_wrong(const core::Attempt& attempt) {
  return attempt.status == core::Status::wrong;
}

// One more attempt by a fresh worker; absent when there is no time left for one.
bool ask(store::CaseResult& result, const FreshWorker& fresh_worker) {
  std::optional<core::Attempt> attempt = fresh_worker();
  if (!attempt) {
    return false;
  }
  attempt->number = static_cast<int>(result.attempts.size()) + 1;
  attempt->purpose = "confirm";
  result.attempts.push_back(std::move(*attempt));
  return true;
}

core::Judgement judge_and_confirm(store::CaseResult& result, const std::filesystem::path& baselines,
                                  const FreshWorker& fresh_worker) {
  const std::optional<core::CaseRun> run = store::case_run(result, result.attempts.front());
  if (!run) {
    throw Error(ErrorKind::history, "the first attempt holds no reading to judge", result.identity.name);
  }
  const auto baseline = stored_baseline(result, baselines);
  core::Judgement judgement = core::judge(baseline, *run, std::nullopt, result.rule);
  std::vector<core::CaseRun> confirmations;
  // Fresh processes beyond the one whose reading is judged in place of one in doubt.
  const auto confirming = [&] { return confirmations.size() - static_cast<std::size_t>(judgement.set_aside); };
  const auto is_open = [&] {
    const bool suspect = judgement.verdict == core::Verdict::regressed;
    return judgement.in_doubt || (suspect && (confirming() == 0 || core::is_narrow(judgement, result.rule)));
  };
  for (int asked = 0; asked < kMaxConfirmations && is_open(); ++asked) {
    if (!ask(result, fresh_worker) || is_wrong(result.attempts.back())) {
      break;
    }
    if (auto confirmation = store::case_run(result, result.attempts.back())) {
      confirmations.push_back(std::move(*confirmation));
      judgement = core::judge(baseline, *run, confirmations, result.rule);
    }
  }
  const bool is_doubtful = confirming() == 0 || is_wrong(result.attempts.back());
  if (judgement.verdict != core::Verdict::regressed || !is_doubtful) {
    return judgement;
  }
  judgement.verdict = core::Verdict::inconclusive;
  const char* const why =
      is_wrong(result.attempts.back()) ? "a fresh worker gave a wrong result" : "no fresh worker could confirm it";
  judgement.reason = fmt::format("slower than the limit, but {}: {}", why, judgement.reason);
  return judgement;
}

}  // namespace

core::ExitCode exit_code_of_attempts(const store::CaseResult& result, core::ExitCode verdict) {
  const bool wrong = std::any_of(result.attempts.begin(), result.attempts.end(), is_wrong);
  return wrong ? core::ExitCode::wrong_result : verdict;
}

core::Judgement settle(store::CaseResult& result, const std::filesystem::path& baselines,
                       const FreshWorker& fresh_worker, const std::string& today) {
  core::Judgement judgement = judge_and_confirm(result, baselines, fresh_worker);
  const std::string& device = result.attempts.front().device.name;
  return core::waive(std::move(judgement),
                     store::find_waiver(store::load_waivers(baselines), result.identity.name, device), today);
}

}  // namespace opgate::run
