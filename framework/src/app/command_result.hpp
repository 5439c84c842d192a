#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/command_session.hpp"
#include "core/result.hpp"
#include "core/verdict.hpp"
#include "report/json_parts.hpp"
#include "report/outcome.hpp"
#include "store/history.hpp"

namespace opgate::app {

using report::is_replayed;
using report::or_null;

// The attempt whose figures stand for the result: the first measured one.
[[nodiscard]] const core::Attempt* deciding_attempt(const store::CaseResult& result);
// As the rule sees it; nothing when no attempt was measured.
[[nodiscard]] std::optional<core::CaseRun> measured_run(const store::CaseResult& result);
// The measured confirmations of the result itself, in their order.
[[nodiscard]] std::vector<core::CaseRun> own_confirmations(const store::CaseResult& result);

// Ours, of the deciding attempt.
[[nodiscard]] std::optional<double> median_busy_ns(const store::CaseResult& result);

// "pass", "regressed", ... where the result was judged, "measured" where not, else how it ended: "failed", "wrong", ...
[[nodiscard]] std::string outcome_of(const store::CaseResult& result);

[[nodiscard]] Json json_of(const std::optional<core::Judgement>& judgement);
[[nodiscard]] Json json_of(const core::Attempt& attempt, bool with_samples);
[[nodiscard]] Json json_of(const core::CaseIdentity& identity);
[[nodiscard]] Json json_of(const store::RunInfo& run);
// A result and all its attempts; `run` fields are the run's id and uuid only.
[[nodiscard]] Json json_of(const store::RunInfo& run, const store::CaseResult& result, bool with_samples);

// All results of a run.
[[nodiscard]] std::vector<store::CaseResult> results_of(const store::History& history, std::int64_t run_id,
                                                        bool with_samples);
// With their samples, of the cases that --filter leaves: the others are not read.
[[nodiscard]] std::vector<store::CaseResult> filtered_results(const Session& session, const store::History& history,
                                                              std::int64_t run_id);
// The run of that id, or the newest one for nothing. Error(history) naming the history.
[[nodiscard]] store::RunInfo require_run(const store::History& history, std::optional<std::int64_t> id);

}  // namespace opgate::app
