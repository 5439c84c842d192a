#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/ceilings.hpp"
#include "core/exit_code.hpp"
#include "core/result.hpp"
#include "core/verdict.hpp"

namespace opgate::store {

// A run: one ctest invocation on one machine, or one case started by hand.
// A history hands out the number after its highest one. A higher number than this is not kept: near the largest integer
// none would be left, and readers of JSON hold no higher one exactly.
constexpr std::int64_t kHighestKeptRun = 9'007'199'254'740'991;

struct RunInfo {
  std::int64_t id = 0;  // history-local; open_run keeps a number that is still free, 0: the next one
  std::string uuid;
  std::string origin;  // ctest | hand | import | replay
  std::int64_t started_unix_ms = 0;
  std::optional<std::int64_t> closed_unix_ms;
  std::string host;
  std::string commit;  // of the op project; empty when unknown
  bool dirty = false;
  bool replayed = false;
  std::string label;                  // what was asked for, e.g. the ctest command line
  std::string options{};              // of a case by hand: what changes its reading, "--iterations 5"; else empty
  std::vector<std::string> selected;  // case names ctest selected; empty when unknown

  bool operator==(const RunInfo&) const = default;
};

// One case of one run, its attempts and its verdict. Retries, confirmations and repeats are attempts of it.
struct CaseResult {
  std::int64_t id = 0;
  std::int64_t run_id = 0;
  core::CaseIdentity identity;
  core::RuleOptions rule;  // the options the verdict was reached with
  std::vector<std::string> labels;
  std::vector<core::Attempt> attempts;
  std::optional<core::Judgement> judgement;
  std::optional<core::ExitCode> exit_code;  // absent while running
  int times_recorded = 1;                   // 2: the same case ran twice in this run
  // The newest of the GPU that measured it, by the history it is read from; never stored with it.
  std::optional<core::Ceilings> ceilings = {};

  bool operator==(const CaseResult&) const = default;
};

}  // namespace opgate::store
