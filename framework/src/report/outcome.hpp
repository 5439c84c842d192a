#pragma once

#include <optional>
#include <string>

#include "report/format.hpp"
#include "store/history.hpp"

namespace opgate::report {

// What became of a case, in the order in which a summary counts it.
enum class Outcome : std::uint8_t {
  pass,
  improved,
  regressed,
  waived,  // regressed or inconclusive, under a waiver
  inconclusive,
  no_baseline,
  not_comparable,
  not_judged,
  wrong_result,
  untrusted,
  failed,
  never_finished,
  skipped,
};

// What of a result says how it ended.
struct Ending {
  std::optional<core::ExitCode> exit_code;
  std::optional<core::Verdict> verdict;
  bool waived = false;
  std::optional<core::Status> last_status;  // of the newest attempt
};
// The exit code decides where a case could not be judged, the verdict everywhere else.
[[nodiscard]] Outcome outcome_of(const Ending& ending);
[[nodiscard]] Outcome outcome_of(const store::CaseResult& result);
[[nodiscard]] const char* headline_of(Outcome outcome);  // "NO BASELINE"
[[nodiscard]] const char* phrase_of(Outcome outcome);    // "no baseline", as counted in a sentence
[[nodiscard]] const char* word_of(Outcome outcome);      // "no-baseline", as scripts see it
[[nodiscard]] Colour colour_of(Outcome outcome);
// A number was taken that may be judged.
[[nodiscard]] bool has_number(Outcome outcome);
// What stands behind the name in a headline: "+10.3 % (limit 1.0 %)", "in set-up (cuda)"; may be empty.
[[nodiscard]] std::string gist_of(const store::CaseResult& result);

// The gist, and the first line of what an attempt without a number said.
[[nodiscard]] std::string why_of(const store::CaseResult& result);

// The attempt that the outcome rests on: the first measured one under a verdict, else the last; none without attempts.
[[nodiscard]] const core::Attempt* deciding_attempt(const store::CaseResult& result);
[[nodiscard]] bool is_replayed(const store::CaseResult& result);
// Needs a person: everything but what passed, is new, or was skipped for a reason.
[[nodiscard]] bool is_named(const store::CaseResult& result);

}  // namespace opgate::report
