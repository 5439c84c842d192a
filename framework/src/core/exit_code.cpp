#include "core/exit_code.hpp"

#include <algorithm>
#include <array>

namespace opgate::core {
namespace {

constexpr std::array<ExitCode, 9> kTable{ExitCode::pass,         ExitCode::regression,  ExitCode::untrusted,
                                         ExitCode::cannot_run,   ExitCode::no_baseline, ExitCode::wrong_result,
                                         ExitCode::inconclusive, ExitCode::usage,       ExitCode::skipped};

constexpr std::array<ExitCode, 7> kWorstFirst{ExitCode::cannot_run, ExitCode::untrusted,    ExitCode::wrong_result,
                                              ExitCode::regression, ExitCode::inconclusive, ExitCode::no_baseline,
                                              ExitCode::pass};

// What a code means for the run as a whole. A case that was called wrongly did not run.
ExitCode in_a_run(ExitCode code) {
  switch (code) {
    case ExitCode::usage:
      return ExitCode::cannot_run;
    case ExitCode::skipped:
      return ExitCode::pass;
    default:
      return code;
  }
}

}  // namespace

ExitCode exit_code_of(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::usage:
      return ExitCode::usage;
    case ErrorKind::wrong_result:
      return ExitCode::wrong_result;
    case ErrorKind::records_lost:
    case ErrorKind::off_thread_launch:
    case ErrorKind::attribution:
    case ErrorKind::timestamps_lost:
    case ErrorKind::unproven:
    case ErrorKind::unmeasured_copies:
    case ErrorKind::impossible:
      return ExitCode::untrusted;
    case ErrorKind::spec:
    case ErrorKind::baseline:
    case ErrorKind::history:
    case ErrorKind::trace:
    case ErrorKind::io:
    case ErrorKind::device:
    case ErrorKind::cuda:
    case ErrorKind::cupti:
    case ErrorKind::op:
      return ExitCode::cannot_run;
  }
  return ExitCode::cannot_run;
}

ExitCode worst(std::span<const ExitCode> codes) {
  for (const ExitCode candidate : kWorstFirst) {
    if (std::any_of(codes.begin(), codes.end(), [&](ExitCode code) { return in_a_run(code) == candidate; })) {
      return candidate;
    }
  }
  return ExitCode::pass;
}

const char* meaning(ExitCode code) {
  switch (code) {
    case ExitCode::pass:
      return "pass";
    case ExitCode::regression:
      return "regression";
    case ExitCode::untrusted:
      return "a reading exists but cannot be trusted (attribution, records or timestamps lost, uncounted copies, below "
             "the timer)";
    case ExitCode::cannot_run:
      return "cannot run (spec, database, CUDA error, the op throws, crashes or hangs; the phase is named)";
    case ExitCode::no_baseline:
      return "no comparable baseline although one is required";
    case ExitCode::wrong_result:
      return "wrong result against the reference";
    case ExitCode::inconclusive:
      return "inconclusive";
    case ExitCode::usage:
      return "usage";
    case ExitCode::skipped:
      return "skipped, with the reason";
  }
  return "unknown";
}

std::span<const ExitCode> exit_code_table() {
  return kTable;
}

}  // namespace opgate::core
