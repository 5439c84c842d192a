#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/exit_code.hpp"
#include "core/sequential.hpp"
#include "run/build_difference.hpp"
#include "run/gpu_choice.hpp"

namespace opgate::run {

// How the comparison of one case ended.
enum class PairedEnd : std::uint8_t {
  judged,     // PairedCase::judgement says what
  identical,  // nothing that a reading comes from differs: unchanged, not measured
  base_only,  // the candidate has no such case
  candidate_only,
  not_comparable,  // other dimensions, another launch mode, ...
  failed,          // one side gave no reading
  skipped,         // nothing here can measure it
};

struct PairedCase {
  std::string name;
  PairedEnd end = PairedEnd::failed;
  core::PairedJudgement judgement{};
  std::string reason;  // one sentence a person understands
  std::string side{};  // "base" or "candidate" where one alone failed
  core::ExitCode code = core::ExitCode::cannot_run;
  bool stopped = false;  // this process was told to stop
};

struct PairedOptions {
  bool measure_identical = false;
  std::size_t max_pairs = core::SequentialOptions{}.max_pairs;
  bool inconclusive_is_warning = false;
  bool require_gpu = false;
};

// "unchanged", "slower", ..., "not-comparable": what scripts see.
[[nodiscard]] const char* outcome_of(const PairedCase& compared);

// Which GPU, asked for once something is measured.
using ChooseGpu = std::function<GpuChoice()>;

// Compares a case that both trees have: by what was built, else by pairs of fresh processes in the order A B B A under
// the lock of the GPU, until the rule of core/sequential.hpp has enough. Tolerance and time limit are the base's: a
// change cannot widen its own. Throws Error when a spec cannot be read or the GPU cannot be had.
[[nodiscard]] PairedCase compare_case(const std::string& case_name, const BuildTree& base, const BuildTree& candidate,
                                      const PairedOptions& options, const ChooseGpu& choose);

}  // namespace opgate::run
