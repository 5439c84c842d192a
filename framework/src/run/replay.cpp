#include "run/replay.hpp"

#include <utility>

#include "measure/recorded_stage.hpp"
#include "run/worker.hpp"

namespace opgate::run {
namespace {

class ReplayWorld final : public World {
 public:
  explicit ReplayWorld(collect::Trace trace)
      : device_(trace.device),
        implementations_(trace.implementations),
        stage_(trace.calibrations_ns),
        collector_(collect::make_replaying_collector(std::move(trace))) {}

  core::DeviceIdentity open(bool tracing) override {
    if (tracing) {
      collector_->start();
    }
    return device_;
  }
  [[nodiscard]] std::string unmet_requirement() const override { return {}; }
  void set_up() override {}
  [[nodiscard]] std::optional<std::string> check(CheckKind) override { return std::nullopt; }
  [[nodiscard]] std::vector<Candidate> candidates() override {
    std::vector<Candidate> candidates;
    for (const std::string& name : implementations_) {
      candidates.push_back({.name = name, .run = [](Stream) {}, .reset = {}});
    }
    return candidates;
  }
  [[nodiscard]] collect::Collector& collector() override { return *collector_; }
  [[nodiscard]] measure::Stage& stage() override { return stage_; }
  [[nodiscard]] core::DeviceState state() override { return {}; }
  void profile() override {
    throw Error(ErrorKind::usage, "a recorded trace cannot be profiled", "replay",
                "run --profile on a machine with a GPU");
  }
  [[nodiscard]] bool replayed() const noexcept override { return true; }

 private:
  core::DeviceIdentity device_;
  std::vector<std::string> implementations_;
  measure::RecordedStage stage_;
  std::unique_ptr<collect::Collector> collector_;
};

// The count that gives every recorded phase its iterations, when one count does: as given by hand, or clamped alike.
// Otherwise the protocol finds them again from the calibration.
std::optional<int> iterations_by_hand(const collect::Trace& trace) {
  const int passes = trace.implementations.size() > 1 ? 2 : 1;
  std::optional<int> first_pass;
  std::optional<int> second_pass;
  for (const collect::TracePhase& phase : trace.phases) {
    if (phase.plan.kind != collect::PhaseKind::measure) {
      continue;
    }
    std::optional<int>& seen = phase.plan.pass == 0 ? first_pass : second_pass;
    if (seen && *seen != phase.plan.iterations) {
      return std::nullopt;
    }
    seen = phase.plan.iterations;
  }
  if (!first_pass || passes == 1) {
    return first_pass;
  }
  return *first_pass + second_pass.value_or(*first_pass);
}

}  // namespace

std::unique_ptr<World> make_replay_world(collect::Trace trace) {
  return std::make_unique<ReplayWorld>(std::move(trace));
}

BenchOptions recorded_options(const collect::Trace& trace) {
  BenchOptions bench;
  bench.protocol = trace.protocol;
  bench.timing = trace.timing;
  bench.flush = trace.flush;
  bench.launch = trace.launch;
  bench.pacing = trace.pacing;
  bench.probe_clock = trace.probe_clock;
  bench.count_copies = trace.identity.copies == "count";
  bench.iterations = iterations_by_hand(trace);
  for (const collect::TracePhase& phase : trace.phases) {
    if (phase.plan.kind != collect::PhaseKind::proof) {  // opgate's own phases have buffers of their own
      bench.buffer_bytes = phase.plan.buffer_bytes;
      break;
    }
  }
  return bench;
}

core::Attempt replay_trace(const collect::Trace& trace) {
  const std::unique_ptr<World> world = make_replay_world(trace);
  CaseRequest request;
  request.identity = trace.identity;
  return run_attempt(*world, request, CaseOptions{}, recorded_options(trace), [](const std::string&) {});
}

}  // namespace opgate::run
