#include "run/supervisor.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <memory>
#include <span>
#include <system_error>
#include <utility>

#include "collect/trace.hpp"
#include "device/lock.hpp"
#include "report/console.hpp"
#include "run/ctest_run.hpp"
#include "run/fresh_processes.hpp"
#include "run/gpu_choice.hpp"
#include "run/kept_records.hpp"
#include "run/new_run.hpp"
#include "run/record_memory.hpp"
#include "run/replay.hpp"
#include "run/resolve.hpp"
#include "run/settle.hpp"
#include "run/stop_signals.hpp"
#include "run/trace_files.hpp"
#include "run/wall_clock.hpp"
#include "run/what_is_missing.hpp"
#include "run/worker.hpp"
#include "run/worker_process.hpp"
#include "store/history.hpp"
#include "text/suggest.hpp"

namespace opgate::run {
namespace {

using Clock = std::chrono::steady_clock;
using core::ExitCode;

// What the supervisor keeps of timeout_s for itself: to kill, store, judge and print before CTest's TIMEOUT kills it.
// A short timeout_s is shared, so that a worker still gets most of it.
constexpr std::chrono::milliseconds kOwnTime{2000};
constexpr int kOwnShare = 5;

std::chrono::milliseconds worker_time(int timeout_s) {
  const std::chrono::milliseconds all = std::chrono::seconds(timeout_s);
  return all - std::min(kOwnTime, all / kOwnShare);
}

// The opgate that was built with this executable, so that the line can be pasted; else the one on the PATH.
std::string command_beside(const std::string& executable) {
  const std::filesystem::path beside = std::filesystem::path(executable).parent_path() / "opgate";
  std::error_code failed;
  return beside.has_parent_path() && std::filesystem::is_regular_file(beside, failed) ? beside.string() : "opgate";
}

// --check and --profile: in this process, so that compute-sanitizer, ncu and nsys see the op.
ExitCode run_here(const Supervision& supervision, const CaseRequest& request) {
  const std::unique_ptr<World> world = supervision.make_world(request);
  const core::Attempt attempt = run_attempt(*world, request, supervision.options,
                                            bench_options(request, supervision.options), [](const std::string&) {});
  const bool check = supervision.options.mode == Mode::check;
  switch (attempt.status) {
    case core::Status::measured:
      fmt::print("{}: {}\n", request.identity.name,
                 check ? "agrees with its reference" : "ran once between the profiler marks");
      return ExitCode::pass;
    case core::Status::skipped:
      fmt::print("{}: skipped: {}\n", request.identity.name, attempt.message);
      return ExitCode::skipped;
    default:
      fmt::print("{}: {} in phase {}: {}\n", request.identity.name,
                 attempt.status == core::Status::wrong ? "wrong result" : "cannot run", attempt.phase, attempt.message);
      return attempt.error ? core::exit_code_of(*attempt.error) : ExitCode::cannot_run;
  }
}

class CaseSupervisor {
 public:
  CaseSupervisor(const Supervision& supervision, const CaseRequest& request, GpuChoice gpu)
      : supervision_(supervision),
        request_(request),
        gpu_(std::move(gpu)),
        deadline_(Clock::now() + worker_time(request.spec_case.timeout_s)) {}

  ExitCode run() {
    try {
      wait_for_device();
    } catch (const Error& error) {
      store_without_worker(core::Status::failed, error.kind(), "lock", error.what());
      throw;
    }
    open_history();
    result_.attempts.push_back(first_attempt());
    if (history_) {
      history_->put_attempt(result_id_, result_.attempts.front());
    }
    try {
      conclude();
    } catch (const std::exception& problem) {
      // A baseline that cannot be read must not cost the measurement.
      const auto* const error = dynamic_cast<const Error*>(&problem);
      result_.exit_code = error != nullptr ? core::exit_code_of(error->kind()) : ExitCode::cannot_run;
      store_end();
      if (history_) {
        fmt::print("{}: measured and stored, but not judged: mend what follows, then run opgate judge\n",
                   request_.identity.name);
        std::fflush(stdout);
      }
      throw;
    }
    store_end();
    tell();
    return *result_.exit_code;
  }

  // Nothing here can run it.
  ExitCode skip(const std::string& reason, bool required) {
    if (required) {
      store_without_worker(core::Status::failed, ErrorKind::device, "machine", reason);
    } else {
      store_without_worker(core::Status::skipped, std::nullopt, "machine", reason);
    }
    fmt::print("{}: {}: {}\n", request_.identity.name, required ? "cannot run" : "skipped", reason);
    if (required) {
      fmt::print("  fix: {}\n", remedy_without_gpu(reason));
    }
    return required ? ExitCode::cannot_run : ExitCode::skipped;
  }

 private:
  // The run that opgate.machine opened; a history named by hand is not its.
  [[nodiscard]] std::optional<OpenRun> ctest_run() const {
    if (!supervision_.project || supervision_.options.history) {
      return std::nullopt;
    }
    return open_run_of(supervision_.project->build_dir, ::getppid());
  }

  // A run of ctest selected the case and must hear of it; by hand there is nothing to keep.
  void store_without_worker(core::Status status, std::optional<ErrorKind> error, const std::string& phase,
                            const std::string& message) {
    if (!supervision_.options.store || !ctest_run()) {
      return;
    }
    open_history();
    core::Attempt attempt;
    attempt.status = status;
    attempt.error = error;
    attempt.phase = phase;
    attempt.message = message;
    attempt.started_unix_ms = unix_ms();
    history_->put_attempt(result_id_, attempt);
    result_.attempts.push_back(std::move(attempt));
    result_.exit_code = error ? core::exit_code_of(*error) : ExitCode::skipped;
    store_end();
  }

  void store_end() {
    if (history_) {
      for (std::size_t i = 1; i < result_.attempts.size(); ++i) {
        history_->put_attempt(result_id_, result_.attempts[i]);
      }
      history_->finish_case(result_id_, result_.judgement, *result_.exit_code);
      if (own_run_) {
        history_->close_run(result_.run_id, unix_ms());
      }
    }
  }

  void wait_for_device() {
    if (request_.trace) {
      return;
    }
    const auto bound = std::chrono::seconds(request_.spec_case.timeout_s) / 2;
    lock_.emplace(device::DeviceLock::acquire(gpu_.lock_key, request_.identity.name, bound));
  }

  void open_history() {
    result_.identity = request_.identity;
    result_.labels = request_.spec_case.labels;
    result_.rule.tolerance = request_.spec_case.tolerance;
    if (!supervision_.options.store) {
      return;
    }
    const std::optional<OpenRun> belongs = ctest_run();
    const std::string option = supervision_.options.history ? supervision_.options.history->string() : "";
    history_.emplace(
        store::History::open_for_writing(belongs ? belongs->history : find_history(option, supervision_.project)));
    own_run_ = !belongs;
    result_.run_id = belongs ? belongs->id : open_separate_run(*history_, run_by_hand());
    result_id_ = history_->begin_case(result_.run_id, result_);
  }

  [[nodiscard]] store::RunInfo run_by_hand() const {
    store::RunInfo run = new_run("hand", request_.trace.has_value(), supervision_.project,
                                 supervision_.executable + " " + request_.identity.name);
    run.options = unusual_options(supervision_.options);
    return run;
  }

  core::Attempt first_attempt() { return take_reading(1); }

  [[nodiscard]] int processes() const {
    const bool one = request_.trace || supervision_.options.record;  // what a trace holds
    return one ? 1 : supervision_.options.processes.value_or(request_.spec_case.processes);
  }

  core::Attempt take_reading(int number) {
    core::Attempt reading = read_in_processes(processes(), deadline_, [&](int process) {
      if (process > 1 && supervision_.options.store) {
        records_.pop_back();  // those of the last process are kept
      }
      return start_worker(number);
    });
    reading.number = number;
    return reading;
  }

  core::Attempt start_worker(int number) {
    ChildCommand command{.arguments = supervision_.arguments, .environment = {}};
    command.arguments.insert(command.arguments.end(), {"--worker-attempt", std::to_string(number)});
    if (!gpu_.uuid.empty()) {
      command.environment.emplace_back("CUDA_VISIBLE_DEVICES", gpu_.uuid);
    }
    if (supervision_.options.store) {
      const RecordMemory& memory = records_.emplace_back();
      if (memory.descriptor() >= 0) {
        command.arguments.insert(command.arguments.end(), {"--records-fd", std::to_string(memory.descriptor())});
        command.inherited = {memory.descriptor()};
      }
    }
    core::Attempt attempt = run_one_worker(command);
    attempt.number = number;
    attempt.replayed = request_.trace.has_value();
    return attempt;
  }

  // What keeps a worker from starting, or its result from being understood, is stored like every other end of it.
  [[nodiscard]] core::Attempt run_one_worker(const ChildCommand& command) const {
    try {
      return run_worker(command, deadline_);
    } catch (const Error& error) {
      core::Attempt attempt;
      attempt.status = core::Status::failed;
      attempt.error = error.kind();
      attempt.phase = "start";
      attempt.message = error.what();
      attempt.started_unix_ms = unix_ms();
      return attempt;
    }
  }

  // A replayed suspect has one only where it was recorded.
  std::optional<core::Attempt> confirming_worker() {
    if (stop_requested() || Clock::now() + time_for_another(result_.attempts.front()) > deadline_) {
      return std::nullopt;
    }
    if (request_.trace && !find_trace(*supervision_.environment.replay, request_.identity.name, true)) {
      return std::nullopt;
    }
    return take_reading(static_cast<int>(result_.attempts.size()) + 1);
  }

  void conclude() {
    const core::Attempt& first = result_.attempts.front();
    if (first.status == core::Status::skipped) {
      result_.exit_code = ExitCode::skipped;
    } else if (first.status != core::Status::measured) {
      result_.exit_code = first.error ? core::exit_code_of(*first.error) : ExitCode::cannot_run;
    } else if (supervision_.options.timing == Timing::cuda_events) {
      result_.exit_code = ExitCode::pass;  // asked for by hand, tagged, never compared
    } else {
      const std::string option = supervision_.options.baselines ? supervision_.options.baselines->string() : "";
      result_.judgement = settle(
          result_, find_baselines(option, supervision_.project), [this] { return confirming_worker(); },
          core::date_of(unix_ms()));
      const ExitCode verdict = core::exit_code_of(*result_.judgement, supervision_.environment.require_baseline,
                                                  supervision_.environment.inconclusive_is_warning);
      result_.exit_code = exit_code_of_attempts(result_, verdict);
    }
  }

  [[nodiscard]] std::string keep_timeline() const {
    const std::size_t attempt = attempt_to_explain(result_);
    const bool failed = *result_.exit_code != ExitCode::pass && *result_.exit_code != ExitCode::skipped;
    const bool kept = failed && history_ && attempt < records_.size();
    return kept ? try_to_keep(history_->path(), result_, records_[attempt].take()) : std::string();
  }

  void tell() {
    if (history_ && !result_.attempts.empty()) {
      result_.ceilings = history_->ceilings(result_.attempts.front().device.uuid);
    }
    report::NextSteps next;
    const std::string name = request_.identity.name;
    next.reproduce = supervision_.executable + " " + name;
    next.profile = "ncu " + supervision_.executable + " " + name + " --profile";
    next.accept = fmt::format("{} baseline accept --last 5 --filter '^{}$' --reason \"...\"",
                              command_beside(supervision_.executable), name);
    next.timeline = keep_timeline();
    fmt::print("{}{}{}", report::case_block(result_, next, supervision_.terminal.colour, supervision_.terminal.width),
               report::ctest_measurements(result_),
               next.timeline.empty() ? "" : report::ctest_attachment("timeline", next.timeline));
    std::fflush(stdout);
  }

  const Supervision& supervision_;
  const CaseRequest& request_;
  GpuChoice gpu_;
  Clock::time_point deadline_;
  std::optional<device::DeviceLock> lock_;
  std::optional<store::History> history_;
  store::CaseResult result_;
  std::vector<RecordMemory> records_;  // of each worker, in order
  std::int64_t result_id_ = 0;
  bool own_run_ = false;
};

std::unique_ptr<World> make_world_for(const CaseRequest& request, const WorldFactory& make_world) {
  return request.trace ? make_replay_world(collect::read_trace(*request.trace)) : make_world(request);
}

}  // namespace

core::ExitCode supervise(const Supervision& supervision) {
  const CaseRequest request = resolve_request(supervision.options, supervision.environment, supervision.project);
  const auto skip = [&](const std::string& reason, bool required) {
    return CaseSupervisor(supervision, request, {}).skip(reason, required);
  };
  if (request.trace) {
    refuse_what_a_trace_lacks(supervision.options);
  }
  if (supervision.environment.replay && !request.trace) {
    return skip("no recorded trace in " + supervision.environment.replay->string(), false);
  }
  GpuChoice gpu;
  if (!request.trace) {
    if (!supervision.make_world) {
      return skip(std::string(kBuiltWithoutCuda), supervision.environment.require_gpu);
    }
    gpu = choose_gpu(supervision.environment);
    if (!gpu.absent.empty()) {
      return skip(gpu.absent, supervision.environment.require_gpu);
    }
    if (!gpu.unusable.empty()) {
      throw Error(ErrorKind::device, gpu.unusable, request.identity.name, "run `opgate doctor`");
    }
  }
  if (supervision.options.mode != Mode::measure) {
    ::setenv("CUDA_VISIBLE_DEVICES", gpu.uuid.c_str(), gpu.uuid.empty() ? 0 : 1);
    const auto lock = device::DeviceLock::acquire(gpu.lock_key, request.identity.name,
                                                  std::chrono::seconds(request.spec_case.timeout_s));
    return run_here(supervision, request);
  }
  return CaseSupervisor(supervision, request, std::move(gpu)).run();
}

void work(const CaseRequest& request, const CaseOptions& options, const WorldFactory& make_world) {
  CaseOptions mine = options;
  if (mine.record && mine.worker_attempt > 1) {
    mine.record = confirmation_path(*mine.record);
  }
  const std::unique_ptr<World> world = make_world_for(request, make_world);
  const BenchOptions bench =
      request.trace ? recorded_options(collect::read_trace(*request.trace)) : bench_options(request, mine);
  const auto report = [&](const std::string& phase) { send_phase(mine.worker_fd, phase); };
  send_result(mine.worker_fd, run_attempt(*world, request, mine, bench, report));
}

}  // namespace opgate::run
