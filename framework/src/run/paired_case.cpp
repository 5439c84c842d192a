#include "run/paired_case.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <system_error>
#include <utility>

#include "device/lock.hpp"
#include "opgate/error.hpp"
#include "run/command.hpp"
#include "run/stop_signals.hpp"
#include "run/worker_process.hpp"
#include "store/history.hpp"

namespace opgate::run {
namespace {

// Others on the GPU are cases, which their own time limits bound, or comparisons.
constexpr std::chrono::minutes kLockBound{10};

PairedCase ended(PairedEnd end, std::string reason, core::ExitCode code) {
  PairedCase compared;
  compared.end = end;
  compared.reason = std::move(reason);
  compared.code = code;
  return compared;
}

// Empty when they may be compared. Conditions are known only once both were measured.
std::string incomparable(const core::CaseRun& base, const core::CaseRun& candidate) {
  std::vector<std::string> notes;
  return core::incomparable(core::summarise({base}), candidate, notes);
}

core::CaseRun unmeasured(const CaseRequest& request) {
  core::CaseRun run;
  run.identity = request.identity;
  return run;
}

// One build's side of a comparison.
class Side {
 public:
  Side(const BuildTree& tree, const std::string& case_name)
      : tree_(tree),
        request_(request_from_spec(tree.project.specs.at(case_name.substr(0, case_name.find('.'))), case_name)),
        executable_(case_executable(tree, request_.identity.op)) {}

  [[nodiscard]] const BuildTree& tree() const { return tree_; }
  [[nodiscard]] const CaseRequest& request() const { return request_; }
  // Why it cannot be measured at all; empty when it can.
  [[nodiscard]] std::optional<PairedCase> unusable(bool require_gpu) const {
    if (!tree_.project.have_cuda) {
      return from_here(ended(PairedEnd::skipped, tree_.name + ": built without CUDA",
                             require_gpu ? core::ExitCode::cannot_run : core::ExitCode::skipped));
    }
    std::error_code problem;
    if (!std::filesystem::is_regular_file(executable_, problem)) {
      return from_here(ended(PairedEnd::failed,
                             fmt::format("{}: not built: run cmake --build {} --target op_{}", tree_.name,
                                         tree_.project.build_dir.string(), request_.identity.op),
                             core::ExitCode::cannot_run));
    }
    return std::nullopt;
  }

  [[nodiscard]] core::Attempt start(const GpuChoice& gpu, std::chrono::seconds bound) const {
    ChildCommand command;
    command.program = executable_;
    command.arguments = {request_.identity.name, "--worker-attempt", "1"};
    command.environment = {{"OPGATE_PROJECT", tree_.project.file.string()}};
    if (!gpu.uuid.empty()) {
      command.environment.emplace_back("CUDA_VISIBLE_DEVICES", gpu.uuid);
    }
    try {
      return run_worker(command, std::chrono::steady_clock::now() + bound);
    } catch (const Error& error) {
      core::Attempt attempt;
      attempt.status = core::Status::failed;
      attempt.error = error.kind();
      attempt.phase = "start";
      attempt.message = error.what();
      return attempt;
    }
  }

  [[nodiscard]] std::optional<core::CaseRun> run_of(const core::Attempt& attempt) const {
    store::CaseResult result;
    result.identity = request_.identity;
    return store::case_run(result, attempt);
  }

  // What ends the comparison when this side gave no reading.
  [[nodiscard]] PairedCase without_reading(const core::Attempt& attempt) const {
    const std::string words =
        fmt::format("{}: {}{}", tree_.name, attempt.phase.empty() ? "" : "phase " + attempt.phase + ": ",
                    attempt.message.empty() ? "no reading above zero" : first_line(attempt.message));
    if (attempt.status == core::Status::skipped) {
      return from_here(ended(PairedEnd::skipped, words, core::ExitCode::skipped));
    }
    const core::ExitCode code = attempt.error ? core::exit_code_of(*attempt.error) : core::ExitCode::cannot_run;
    return from_here(ended(PairedEnd::failed, words, code));
  }

 private:
  [[nodiscard]] PairedCase from_here(PairedCase compared) const {
    compared.side = tree_.name;
    return compared;
  }

  const BuildTree& tree_;
  CaseRequest request_;
  std::filesystem::path executable_;
};

class Comparison {
 public:
  Comparison(const Side& base, const Side& candidate, const PairedOptions& options, GpuChoice gpu)
      : base_(base), candidate_(candidate), options_(options), gpu_(std::move(gpu)) {
    rule_.max_pairs = options.max_pairs;
    rule_.tolerance = base.request().spec_case.tolerance;
  }

  PairedCase run() {
    for (;;) {
      // A B B A: what drifts from process to process falls on both alike.
      const bool swapped = pairs_.size() % 2 == 1;
      core::ReadingPair pair;
      for (const Side* side : {swapped ? &candidate_ : &base_, swapped ? &base_ : &candidate_}) {
        if (auto end = measure(*side, side == &base_ ? pair.base : pair.candidate)) {
          end->judgement.pairs = pairs_.size();
          return *std::move(end);
        }
      }
      if (const std::string why = different_readings(); !why.empty()) {
        return ended(PairedEnd::not_comparable, why, core::ExitCode::no_baseline);
      }
      pairs_.push_back(pair);
      core::PairedJudgement judgement = core::judge_pairs(pairs_, rule_);
      if (judgement.outcome != core::PairedOutcome::more) {
        PairedCase compared = ended(PairedEnd::judged, judgement.reason,
                                    core::exit_code_of(judgement.outcome, options_.inconclusive_is_warning));
        compared.judgement = std::move(judgement);
        return compared;
      }
    }
  }

 private:
  // What ends the comparison; nothing when there is a reading.
  std::optional<PairedCase> measure(const Side& side, core::ProcessReading& reading) {
    const auto bound = std::chrono::seconds(base_.request().spec_case.timeout_s);
    const core::Attempt attempt = side.start(gpu_, bound);
    std::optional<core::CaseRun>& run = &side == &base_ ? base_run_ : candidate_run_;
    run = side.run_of(attempt);
    const auto read = run ? core::process_reading(*run) : std::nullopt;
    if (!read) {
      PairedCase end = side.without_reading(attempt);
      end.stopped = stop_requested();
      return end;
    }
    if (run->tick_ns > 0) {
      rule_.tick_ns = run->tick_ns;
    }
    reading = *read;
    return std::nullopt;
  }

  [[nodiscard]] std::string different_readings() const {
    if (base_run_->unit != candidate_run_->unit) {
      return fmt::format("the base ran on GPU {}, the candidate on {}", base_run_->unit, candidate_run_->unit);
    }
    return incomparable(*base_run_, *candidate_run_);
  }

  const Side& base_;
  const Side& candidate_;
  const PairedOptions& options_;
  GpuChoice gpu_;
  core::SequentialOptions rule_;
  std::optional<core::CaseRun> base_run_;
  std::optional<core::CaseRun> candidate_run_;
  std::vector<core::ReadingPair> pairs_;
};

PairedCase compare_sides(const Side& base, const Side& candidate, const PairedOptions& options,
                         const ChooseGpu& choose) {
  if (const std::string why = incomparable(unmeasured(base.request()), unmeasured(candidate.request())); !why.empty()) {
    return ended(PairedEnd::not_comparable, why, core::ExitCode::no_baseline);
  }
  for (const Side* side : {&base, &candidate}) {
    if (auto why = side->unusable(options.require_gpu)) {
      return *std::move(why);
    }
  }
  if (!options.measure_identical &&
      build_difference(base.tree(), base.request(), candidate.tree(), candidate.request()).empty()) {
    return ended(PairedEnd::identical,
                 "not measured: executable, device code, libraries and spec row are the same in both builds",
                 core::ExitCode::pass);
  }
  GpuChoice gpu = choose();
  if (!gpu.absent.empty()) {
    return ended(PairedEnd::skipped, gpu.absent,
                 options.require_gpu ? core::ExitCode::cannot_run : core::ExitCode::skipped);
  }
  const std::string& name = base.request().identity.name;
  if (!gpu.unusable.empty()) {
    throw Error(ErrorKind::device, gpu.unusable, name, "run `opgate doctor`");
  }
  const StopSignals signals;
  const auto lock = device::DeviceLock::acquire(gpu.lock_key, "ab of " + name, kLockBound);
  return Comparison(base, candidate, options, std::move(gpu)).run();
}

}  // namespace

const char* outcome_of(const PairedCase& compared) {
  switch (compared.end) {
    case PairedEnd::judged:
      return core::to_string(compared.judgement.outcome);
    case PairedEnd::identical:
      return core::to_string(core::PairedOutcome::unchanged);
    case PairedEnd::base_only:
      return "base-only";
    case PairedEnd::candidate_only:
      return "candidate-only";
    case PairedEnd::not_comparable:
      return "not-comparable";
    case PairedEnd::failed:
      return "failed";
    case PairedEnd::skipped:
      return "skipped";
  }
  return "unknown";
}

PairedCase compare_case(const std::string& case_name, const BuildTree& base, const BuildTree& candidate,
                        const PairedOptions& options, const ChooseGpu& choose) {
  PairedCase compared = compare_sides(Side(base, case_name), Side(candidate, case_name), options, choose);
  compared.name = case_name;
  return compared;
}

}  // namespace opgate::run
