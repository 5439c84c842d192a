#include "run/gate_judge.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "run/command.hpp"

namespace opgate::run {
namespace {

using core::ExitCode;
using report::GateCase;
using report::GateEnd;

GateEnd end_of(ExitCode code) {
  switch (code) {
    case ExitCode::pass:
      return GateEnd::pass;
    case ExitCode::regression:
      return GateEnd::regressed;
    case ExitCode::untrusted:
      return GateEnd::untrusted;
    case ExitCode::no_baseline:
      return GateEnd::no_baseline;
    case ExitCode::wrong_result:
      return GateEnd::wrong_result;
    case ExitCode::inconclusive:
      return GateEnd::inconclusive;
    case ExitCode::skipped:
      return GateEnd::skipped;
    case ExitCode::cannot_run:
    case ExitCode::usage:
      break;
  }
  return GateEnd::failed;
}

void take_judgement(const core::Judgement& judgement, GateCase& one) {
  one.before_ns = judgement.baseline_ns;
  one.now_ns = judgement.measured_ns;
  one.change_pct = judgement.change_pct;
  one.limit_pct = judgement.threshold_pct;
  one.reason = judgement.reason;
  if (judgement.baseline_ns) one.against = "stored baseline";
  if (one.code != ExitCode::pass) return;
  if (judgement.waiver) {
    one.end = GateEnd::waived;
    one.reason = fmt::format("{}; waived until {} by {}: {}", judgement.reason, judgement.waiver->expires,
                             judgement.waiver->owner, judgement.waiver->reason);
  } else if (judgement.verdict == core::Verdict::improved) {
    one.end = GateEnd::improved;
  }
}

void take_pairs(const PairedCase& compared, GateCase& one) {
  const core::PairedJudgement& judgement = compared.judgement;
  one.against = fmt::format("merge base, {} pairs", judgement.pairs);
  one.before_ns = judgement.base_ns;
  one.now_ns = judgement.candidate_ns;
  one.change_pct = judgement.change_pct;
  one.limit_pct = judgement.limit_pct;
  one.reason = compared.reason;
}

}  // namespace

GateCase judged_by_baseline(const std::string& name, const store::CaseResult& result) {
  GateCase one;
  one.name = name;
  if (!result.exit_code || result.times_recorded > 1) {
    one.end = GateEnd::failed;
    one.reason = result.exit_code ? "recorded twice in this run" : "opened and never closed: its process died";
    return one;
  }
  one.code = *result.exit_code;
  one.end = end_of(one.code);
  if (result.judgement) {
    take_judgement(*result.judgement, one);
  } else if (!result.attempts.empty()) {
    const core::Attempt& last = result.attempts.back();
    one.reason = fmt::format("{}{}", last.phase.empty() ? "" : "phase " + last.phase + ": ", first_line(last.message));
  }
  if (one.reason.empty()) one.reason = core::meaning(one.code);
  return one;
}

bool is_open(const GateCase& one) {
  return one.end == GateEnd::regressed || one.end == GateEnd::inconclusive || one.end == GateEnd::no_baseline;
}

GateCase settled_by_pairs(GateCase open, const PairedCase& compared) {
  GateCase one = open;
  if (compared.stopped) {
    one.end = GateEnd::not_run;
    one.code = ExitCode::cannot_run;
    one.reason = "told to stop before it was settled";
    return one;
  }
  switch (compared.end) {
    case PairedEnd::judged:
      take_pairs(compared, one);
      one.code = compared.code;
      one.end = end_of(compared.code);
      if (compared.code == ExitCode::pass && open.end != GateEnd::no_baseline) {
        one.end = GateEnd::settled;
        one.reason = fmt::format("against the stored baseline {}: {}", report::phrase_of(open.end), open.reason) +
                     "; against the merge base: " + compared.reason;
      } else if (compared.judgement.outcome == core::PairedOutcome::faster) {
        one.end = GateEnd::improved;
      }
      return one;
    case PairedEnd::identical:
      one.end = GateEnd::identical;
      one.code = ExitCode::pass;
      one.reason = compared.reason;
      return one;
    case PairedEnd::failed:
    case PairedEnd::skipped:
      one.code = compared.code == ExitCode::skipped ? ExitCode::cannot_run : compared.code;
      one.end = end_of(one.code);
      one.reason = compared.reason;
      return one;
    case PairedEnd::not_comparable:
    case PairedEnd::base_only:
    case PairedEnd::candidate_only:
      break;
  }
  one.reason += "; the merge base's build cannot settle it: " + compared.reason;
  return one;
}

GateCase excused_as_new(GateCase one) {
  one.is_new = true;
  if (one.end == GateEnd::no_baseline) {
    one.end = GateEnd::fresh;
    one.code = ExitCode::pass;
    one.reason = "new: nothing to hold it against yet";
  }
  return one;
}

}  // namespace opgate::run
