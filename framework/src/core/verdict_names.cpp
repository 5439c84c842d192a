#include "core/verdict.hpp"

namespace opgate::core {

const char* to_string(Verdict verdict) {
  switch (verdict) {
    case Verdict::pass:
      return "pass";
    case Verdict::regressed:
      return "regressed";
    case Verdict::improved:
      return "improved";
    case Verdict::inconclusive:
      return "inconclusive";
    case Verdict::no_baseline:
      return "no-baseline";
    case Verdict::not_comparable:
      return "not-comparable";
  }
  return "unknown";
}

const char* to_string(Metric metric) {
  return metric == Metric::cycles ? "cycles" : "time";
}

ExitCode exit_code_of(Verdict verdict, bool baseline_required, bool inconclusive_is_warning) {
  switch (verdict) {
    case Verdict::regressed:
      return ExitCode::regression;
    case Verdict::inconclusive:
      return inconclusive_is_warning ? ExitCode::pass : ExitCode::inconclusive;
    case Verdict::no_baseline:
    case Verdict::not_comparable:
      return baseline_required ? ExitCode::no_baseline : ExitCode::pass;
    case Verdict::pass:
    case Verdict::improved:
      return ExitCode::pass;
  }
  return ExitCode::cannot_run;
}

ExitCode exit_code_of(const Judgement& judgement, bool baseline_required, bool inconclusive_is_warning) {
  return judgement.waiver ? ExitCode::pass
                          : exit_code_of(judgement.verdict, baseline_required, inconclusive_is_warning);
}

}  // namespace opgate::core
