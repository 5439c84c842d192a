#include "run/worker.hpp"

#include <fmt/format.h>

#include <chrono>
#include <exception>
#include <optional>
#include <utility>
#include <vector>

#include "collect/trace.hpp"
#include "core/device_rates.hpp"
#include "core/figures.hpp"
#include "core/statistics.hpp"
#include "measure/protocol.hpp"
#include "measure/recorded_stage.hpp"
#include "run/fork_watch.hpp"
#include "run/record_memory.hpp"
#include "run/timeline.hpp"
#include "run/wall_clock.hpp"

namespace opgate::run {
namespace {

constexpr int kDefaultTickNs = 32;  // H200; other devices say theirs in DeviceIdentity

void end_with(core::Attempt& attempt, core::Status status, ErrorKind kind, const std::string& phase,
              std::string message) {
  attempt.status = status;
  attempt.error = kind;
  attempt.phase = phase;
  attempt.message = std::move(message);
}

std::string implementation_label(const std::string& name) {
  return name.empty() ? "this op" : name;
}

// Keeps what a world delivers: as long as it is when the user asked for a trace, else no more than a timeline needs.
struct Recorder {
  Recorder(World& world, const CaseRequest& request, const BenchOptions& bench, const core::DeviceIdentity& device,
           std::size_t most_records)
      : stage(world.stage(), trace.calibrations_ns),
        collector(collect::make_recording_collector(world.collector(), trace, most_records)) {
    trace.identity = request.identity;
    trace.device = device;
    trace.protocol = bench.protocol;
    trace.timing = bench.timing;
    trace.launch = measure::wanted_launch(bench);
    trace.pacing = measure::pacing_of(bench);
    trace.probe_clock = measure::probes_clock(bench);
    trace.recorded_unix_ms = unix_ms();
    trace.external_kind = world.collector().external_kind();
  }

  void save(const CaseOptions& options, const std::vector<measure::Measured>& measured) {
    for (const measure::Measured& one : measured) {
      trace.implementations.push_back(one.measurement.name);
      trace.flush = one.measurement.flush;
    }
    if (options.record) {
      collect::write_trace(trace, *options.record);
    }
    if (options.records_fd >= 0) {
      leave_records(options.records_fd, trace);
    }
  }

  collect::Trace trace;
  measure::RecordingStage stage;
  std::unique_ptr<collect::Collector> collector;
};

std::vector<measure::Measured> measure_world(World& world, const CaseRequest& request, const CaseOptions& options,
                                             const BenchOptions& bench, const core::DeviceIdentity& device,
                                             Timeline& timeline) {
  const int forks = forks_seen();
  const auto progress = [&](std::string_view step) {
    refuse_forks(forks);
    timeline.enter(std::string(step));
  };
  const std::vector<Candidate> candidates = world.candidates();
  if (!options.record && (options.records_fd < 0 || bench.timing != Timing::cupti)) {
    auto measured = measure::measure_candidates(world.collector(), world.stage(), candidates, bench, progress);
    refuse_forks(forks);
    return measured;
  }
  Recorder recorder(world, request, bench, device, options.record ? SIZE_MAX : kMostKeptRecords);
  auto measured = measure::measure_candidates(*recorder.collector, recorder.stage, candidates, bench, progress);
  refuse_forks(forks);
  recorder.save(options, measured);
  return measured;
}

// The first issue decides the kind; all are told.
bool take_issues(core::Attempt& attempt, const std::vector<measure::Measured>& all, const std::string& phase) {
  for (const measure::Measured& measured : all) {
    if (!measured.issues.empty()) {
      std::string text;
      for (const core::Issue& issue : measured.issues) {
        text += text.empty() ? "" : "\n";
        text += implementation_label(measured.measurement.name) + ": " + issue.text;
        text += issue.remedy.empty() ? "" : "\n  fix: " + issue.remedy;
      }
      end_with(attempt, core::Status::untrusted, measured.issues.front().kind, phase, std::move(text));
      return true;
    }
  }
  return false;
}

// A number that the device cannot reach is no number.
bool impossible(core::Attempt& attempt, const CaseRequest& request, const std::vector<measure::Measured>& all) {
  for (const measure::Measured& measured : all) {
    const Measurement& measurement = measured.measurement;
    if (const auto issue = core::impossible_rate(request.identity, attempt.device, measurement.median_busy_ns(),
                                                 core::sample_figures(measurement).sm_mhz, measurement.flush)) {
      end_with(attempt, core::Status::untrusted, issue->kind, "measure",
               fmt::format("{}: {}\n  fix: {}", implementation_label(measurement.name), issue->text, issue->remedy));
      return true;
    }
  }
  return false;
}

bool below_timer(core::Attempt& attempt, const std::vector<measure::Measured>& all) {
  const int tick_ns = attempt.device.tick_ns > 0 ? attempt.device.tick_ns : kDefaultTickNs;
  for (const measure::Measured& measured : all) {
    const double median_ns = measured.measurement.median_busy_ns();
    if (median_ns < tick_ns) {
      end_with(attempt, core::Status::untrusted, ErrorKind::impossible, "measure",
               fmt::format("{}: the median is {:.0f} ns, below one tick of the timer ({} ns)",
                           implementation_label(measured.measurement.name), median_ns, tick_ns));
      return true;
    }
  }
  return false;
}

std::vector<core::GroupLaunches> launches_of(const std::vector<measure::GroupKey>& groups) {
  std::vector<core::GroupLaunches> launches;
  for (const measure::GroupKey& group : groups) {
    core::GroupLaunches& counted = launches.emplace_back();
    counted.copies = group.copies;
    for (const std::string& kernel : group.kernels) {
      ++counted.kernels[kernel];
    }
  }
  return launches;
}

// A trace does not say whether its count of iterations was asked for.
void keep(core::Attempt& attempt, std::vector<measure::Measured>&& all, const BenchOptions& bench) {
  for (measure::Measured& measured : all) {
    attempt.implementations.push_back({.measurement = std::move(measured.measurement),
                                       .kernels = std::move(measured.kernels),
                                       .kernel_groups = std::move(measured.group_names),
                                       .launches = launches_of(measured.group_keys),
                                       .iterations_asked = attempt.replayed ? std::nullopt : bench.iterations});
  }
}

bool checked(core::Attempt& attempt, World& world, CheckKind kind, Timeline& timeline) {
  timeline.enter(kind == CheckKind::before_timing ? "check" : "recheck");
  const int forks = forks_seen();
  const std::optional<std::string> wrong = world.check(kind);
  refuse_forks(forks);
  if (wrong) {
    end_with(attempt, core::Status::wrong, ErrorKind::wrong_result, timeline.phase(), *wrong);
    return false;
  }
  return true;
}

void proceed(core::Attempt& attempt, World& world, const CaseRequest& request, const CaseOptions& options,
             const BenchOptions& bench, Timeline& timeline) {
  timeline.enter("context");
  const bool tracing = options.mode == Mode::measure && bench.timing == Timing::cupti;
  attempt.device = world.open(tracing);
  if (const std::string unmet = world.unmet_requirement(); !unmet.empty()) {
    end_with(attempt, core::Status::skipped, ErrorKind::device, timeline.phase(), unmet);
    return;
  }
  timeline.enter("set-up");
  world.set_up();
  if (options.mode == Mode::profile) {
    timeline.enter("profile");
    world.profile();
    attempt.status = core::Status::measured;
    return;
  }
  if (!checked(attempt, world, CheckKind::before_timing, timeline)) {
    return;
  }
  if (options.mode == Mode::check) {
    attempt.status = core::Status::measured;
    return;
  }
  timeline.enter("state");
  attempt.before = world.state();
  auto measured = measure_world(world, request, options, bench, attempt.device, timeline);
  if (take_issues(attempt, measured, timeline.phase()) || below_timer(attempt, measured) ||
      impossible(attempt, request, measured)) {
    return;
  }
  timeline.enter("state");
  attempt.after = world.state();
  keep(attempt, std::move(measured), bench);
  if (checked(attempt, world, CheckKind::after_timing, timeline)) {
    attempt.status = core::Status::measured;
  }
}

}  // namespace

core::Attempt run_attempt(World& world, const CaseRequest& request, const CaseOptions& options,
                          const BenchOptions& bench, const PhaseReport& report) {
  core::Attempt attempt;
  attempt.started_unix_ms = unix_ms();
  attempt.replayed = world.replayed();
  Timeline timeline(report);
  try {
    watch_forks();
    proceed(attempt, world, request, options, bench, timeline);
  } catch (const Error& error) {
    const bool untrusted = core::exit_code_of(error.kind()) == core::ExitCode::untrusted;
    end_with(attempt, untrusted ? core::Status::untrusted : core::Status::failed, error.kind(), timeline.phase(),
             error.what());
  } catch (const std::exception& error) {
    end_with(attempt, core::Status::failed, ErrorKind::op, timeline.phase(),
             fmt::format("the op threw {}", error.what()));
  } catch (...) {
    end_with(attempt, core::Status::failed, ErrorKind::op, timeline.phase(),
             "the op threw something that is no std::exception");
  }
  timeline.leave();
  attempt.phase_wall_ns = timeline.wall_ns();
  for (const auto& [phase, wall_ns] : attempt.phase_wall_ns) {
    attempt.wall_ns += wall_ns;
  }
  return attempt;
}

}  // namespace opgate::run
