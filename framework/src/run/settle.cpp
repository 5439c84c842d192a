#include "run/settle.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

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

std::optional<core::CaseRun> confirm(store::CaseResult& result, const FreshWorker& fresh_worker) {
  for (int i = 0; i < kMaxConfirmations; ++i) {
    std::optional<core::Attempt> attempt = fresh_worker();
    if (!attempt) {
      return std::nullopt;
    }
    attempt->number = static_cast<int>(result.attempts.size()) + 1;
    attempt->purpose = "confirm";
    result.attempts.push_back(std::move(*attempt));
    if (auto run = store::case_run(result, result.attempts.back())) {
      return run;
    }
    if (is_wrong(result.attempts.back())) {
      return std::nullopt;
    }
  }
  return std::nullopt;
}

core::Judgement judge_and_confirm(store::CaseResult& result, const std::filesystem::path& baselines,
                                  const FreshWorker& fresh_worker) {
  const std::optional<core::CaseRun> run = store::case_run(result, result.attempts.front());
  if (!run) {
    throw Error(ErrorKind::history, "the first attempt holds no reading to judge", result.identity.name);
  }
  const auto baseline = stored_baseline(result, baselines);
  core::Judgement judgement = core::judge(baseline, *run, std::nullopt, result.rule);
  if (judgement.verdict != core::Verdict::regressed) {
    return judgement;
  }
  if (const auto confirmation = confirm(result, fresh_worker)) {
    return core::judge(baseline, *run, confirmation, result.rule);
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
