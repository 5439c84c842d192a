#include "report/outcome.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "store/names.hpp"

namespace opgate::report {
namespace {

struct Words {
  const char* headline;
  const char* phrase;
  const char* word;
  Colour colour;
};

// In the order of the enumerators.
constexpr std::array<Words, 13> kWords{{{"PASS", "pass", "pass", Colour::green},
                                        {"IMPROVED", "improved", "improved", Colour::green},
                                        {"REGRESSED", "regressed", "regressed", Colour::red},
                                        {"WAIVED", "waived", "waived", Colour::yellow},
                                        {"INCONCLUSIVE", "inconclusive", "inconclusive", Colour::yellow},
                                        {"NO BASELINE", "without baseline", "no-baseline", Colour::yellow},
                                        {"NOT COMPARABLE", "not comparable", "not-comparable", Colour::yellow},
                                        {"NOT JUDGED", "not judged", "measured", Colour::yellow},
                                        {"WRONG RESULT", "wrong result", "wrong", Colour::red},
                                        {"UNTRUSTED", "untrusted", "untrusted", Colour::red},
                                        {"FAILED", "failed", "failed", Colour::red},
                                        {"NEVER FINISHED", "never finished", "running", Colour::red},
                                        {"SKIPPED", "skipped", "skipped", Colour::yellow}}};
static_assert(kWords.size() == static_cast<std::size_t>(Outcome::skipped) + 1);

Outcome outcome_of_verdict(core::Verdict verdict) {
  switch (verdict) {
    case core::Verdict::pass:
      return Outcome::pass;
    case core::Verdict::regressed:
      return Outcome::regressed;
    case core::Verdict::improved:
      return Outcome::improved;
    case core::Verdict::inconclusive:
      return Outcome::inconclusive;
    case core::Verdict::no_baseline:
      return Outcome::no_baseline;
    case core::Verdict::not_comparable:
      break;
  }
  return Outcome::not_comparable;
}

Outcome outcome_of_status(core::Status status) {
  switch (status) {
    case core::Status::measured:
      return Outcome::not_judged;
    case core::Status::untrusted:
      return Outcome::untrusted;
    case core::Status::failed:
      return Outcome::failed;
    case core::Status::wrong:
      return Outcome::wrong_result;
    case core::Status::skipped:
      return Outcome::skipped;
    case core::Status::running:
      break;
  }
  return Outcome::never_finished;
}

std::string gist_of_judgement(const core::Judgement& judgement) {
  if (!judgement.change_pct) {
    return {};
  }
  const std::string change = change_text(*judgement.change_pct);
  return judgement.threshold_pct ? fmt::format("{} (limit {})", change, percent_text(*judgement.threshold_pct))
                                 : change;
}

std::string gist_of_attempt(const core::Attempt& attempt) {
  const std::string phase = attempt.phase.empty() ? "" : "in " + attempt.phase;
  const std::string error = attempt.error ? fmt::format("({})", store::name_of(*attempt.error)) : "";
  return phase.empty() || error.empty() ? phase + error : phase + " " + error;
}

}  // namespace

Outcome outcome_of(const Ending& ending) {
  if (ending.exit_code) {
    switch (*ending.exit_code) {
      case core::ExitCode::untrusted:
        return Outcome::untrusted;
      case core::ExitCode::cannot_run:
      case core::ExitCode::usage:
        return Outcome::failed;
      case core::ExitCode::wrong_result:
        return Outcome::wrong_result;
      case core::ExitCode::skipped:
        return Outcome::skipped;
      case core::ExitCode::pass:
      case core::ExitCode::regression:
      case core::ExitCode::no_baseline:
      case core::ExitCode::inconclusive:
        break;
    }
  }
  if (ending.verdict) {
    return ending.waived ? Outcome::waived : outcome_of_verdict(*ending.verdict);
  }
  return ending.last_status ? outcome_of_status(*ending.last_status) : Outcome::never_finished;
}

Outcome outcome_of(const store::CaseResult& result) {
  Ending ending{result.exit_code, {}, false, {}};
  if (result.judgement) {
    ending.verdict = result.judgement->verdict;
    ending.waived = result.judgement->waiver.has_value();
  }
  if (!result.attempts.empty()) {
    ending.last_status = result.attempts.back().status;
  }
  return outcome_of(ending);
}

const char* headline_of(Outcome outcome) {
  return kWords.at(static_cast<std::size_t>(outcome)).headline;
}

const char* phrase_of(Outcome outcome) {
  return kWords.at(static_cast<std::size_t>(outcome)).phrase;
}

const char* word_of(Outcome outcome) {
  return kWords.at(static_cast<std::size_t>(outcome)).word;
}

Colour colour_of(Outcome outcome) {
  return kWords.at(static_cast<std::size_t>(outcome)).colour;
}

bool has_number(Outcome outcome) {
  return outcome <= Outcome::not_judged;
}

std::string gist_of(const store::CaseResult& result) {
  const core::Attempt* const attempt = deciding_attempt(result);
  if (has_number(outcome_of(result))) {
    return result.judgement ? gist_of_judgement(*result.judgement) : std::string{};
  }
  return attempt != nullptr && outcome_of(result) != Outcome::skipped ? gist_of_attempt(*attempt) : std::string{};
}

std::string why_of(const store::CaseResult& result) {
  std::string text = gist_of(result);
  const core::Attempt* const attempt = deciding_attempt(result);
  if (!has_number(outcome_of(result)) && attempt != nullptr && !attempt->message.empty()) {
    text += (text.empty() ? "" : ": ") + attempt->message.substr(0, attempt->message.find('\n'));
  }
  return text;
}

const core::Attempt* deciding_attempt(const store::CaseResult& result) {
  if (result.attempts.empty()) {
    return nullptr;
  }
  if (has_number(outcome_of(result))) {
    const auto measured = std::find_if(result.attempts.begin(), result.attempts.end(),
                                       [](const auto& a) { return a.status == core::Status::measured; });
    if (measured != result.attempts.end()) {
      return &*measured;
    }
  }
  return &result.attempts.back();
}

bool is_replayed(const store::CaseResult& result) {
  return std::any_of(result.attempts.begin(), result.attempts.end(), [](const auto& a) { return a.replayed; });
}

bool is_named(const store::CaseResult& result) {
  const Outcome outcome = outcome_of(result);
  if (outcome == Outcome::no_baseline) {
    return result.exit_code == core::ExitCode::no_baseline;
  }
  return outcome != Outcome::pass && outcome != Outcome::improved && outcome != Outcome::skipped;
}

}  // namespace opgate::report
