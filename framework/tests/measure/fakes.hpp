#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <iterator>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "collect/collector.hpp"
#include "core/attribution.hpp"
#include "measure/stage.hpp"

namespace opgate::test {

// A device and its tracer in one: what the callable launches becomes records with the label that is on the stack.
class FakeCollector final : public collect::Collector {
 public:
  static constexpr std::uint32_t kKind = 2;

  void start() override { ++starts; }
  std::uint32_t begin_phase(const collect::PhasePlan& plan) override {
    plans.push_back(plan);
    records_ = {};
    records_.buffers.emplace_back();
    records_.names = {"cudaLaunchKernel"};
    if (plan.drained && subscribes) {
      records_.drains.resize(static_cast<std::size_t>(plan.iterations));
    }
    return ++nonce_;
  }
  void push(std::uint64_t id) override { labels_.push_back(id); }
  void pop(std::uint64_t) override { labels_.pop_back(); }
  [[nodiscard]] bool can_drain() const override { return has_drained_phases; }
  core::PhaseRecords end_phase(core::StageFacts facts) override {
    records_.stage = std::move(facts);
    records_.dropped = plans.size() <= drops.size() ? drops[plans.size() - 1] : 0;
    return records_;
  }
  void abandon_phase() noexcept override {
    ++abandoned;
    labels_.clear();
  }
  [[nodiscard]] std::uint32_t external_kind() const override { return kKind; }

  void launch(const std::string& name, std::int64_t duration_ns) {
    if (records_.buffers.empty()) {
      return;  // outside a phase
    }
    clock_ns_ += 1000;
    launch_at(name, clock_ns_, clock_ns_ + duration_ns);
    clock_ns_ += duration_ns;
  }
  // A kernel that runs when its stream lets it, not in the order of launches.
  void launch_at(const std::string& name, std::int64_t start_ns, std::int64_t end_ns) {
    if (records_.buffers.empty()) {
      return;
    }
    if (name == swallow && swallow_after-- <= 0) {
      return;  // no record, and no drop either
    }
    ++correlation_;
    core::Record kernel;
    kernel.kind = core::RecordKind::kernel;
    kernel.start_ns = start_ns;
    kernel.end_ns = end_ns;
    kernel.correlation_id = correlation_;
    kernel.name = kernel_index(name);
    records_.buffers.back().push_back(kernel);
    core::Record api;
    api.kind = core::RecordKind::api;
    api.start_ns = clock_ns_ - 1000;
    api.end_ns = clock_ns_;
    api.correlation_id = correlation_;
    records_.buffers.back().push_back(api);
    if (!labels_.empty()) {
      core::Record external;
      external.kind = core::RecordKind::external;
      external.correlation_id = correlation_;
      external.external_kind = kKind;
      external.external_id = labels_.back();
      records_.buffers.back().push_back(external);
    }
  }
  // A CUDA call that waits for the device, which is busy for so long with what no record tells of.
  void wait_for_device(std::int64_t hidden_ns = 0) {
    const std::int64_t begun_ns = clock_ns_;
    clock_ns_ += hidden_ns;
    const auto label = labels_.empty() ? core::kPreparation : static_cast<std::uint32_t>(labels_.back());
    if (label < records_.drains.size()) {
      records_.drains[label] = core::Drain{begun_ns, clock_ns_};
    }
  }
  // Whether the call is one of a drained phase.
  [[nodiscard]] bool draining() const { return !labels_.empty() && !plans.empty() && plans.back().drained; }
  [[nodiscard]] bool preparing() const {
    return !labels_.empty() && static_cast<std::uint32_t>(labels_.back()) == core::kPreparation;
  }
  [[nodiscard]] bool labelled() const { return !labels_.empty(); }

  [[nodiscard]] std::int64_t now_ns() const { return clock_ns_; }
  void pass_time(std::int64_t time_ns) { clock_ns_ += time_ns; }
  // The phases of one kind.
  [[nodiscard]] std::vector<collect::PhasePlan> plans_of(collect::PhaseKind kind) const {
    std::vector<collect::PhasePlan> found;
    std::copy_if(plans.begin(), plans.end(), std::back_inserter(found),
                 [kind](const collect::PhasePlan& plan) { return plan.kind == kind; });
    return found;
  }

  std::vector<std::uint64_t> drops;  // of the first phases; 0 after that
  std::vector<collect::PhasePlan> plans;
  bool has_drained_phases = true;  // an old trace has none
  bool subscribes = true;          // else somebody else does
  std::string swallow;
  int swallow_after = 0;
  int starts = 0;
  int abandoned = 0;

 private:
  std::uint32_t kernel_index(const std::string& name) {
    auto& kernels = records_.kernels;
    const auto found = std::find_if(kernels.begin(), kernels.end(), [&](const auto& one) { return one.name == name; });
    if (found != kernels.end()) {
      return static_cast<std::uint32_t>(found - kernels.begin());
    }
    kernels.push_back({.name = name, .grid = {1, 1, 1}, .block = {32, 1, 1}});
    return static_cast<std::uint32_t>(kernels.size() - 1);
  }

  core::PhaseRecords records_;
  std::vector<std::uint64_t> labels_;
  std::int64_t clock_ns_ = 1'000'000;
  std::uint32_t correlation_ = 0;
  std::uint32_t nonce_ = 0;
};

class FakeStage final : public measure::Stage {
 public:
  FakeStage(double cost_ns, FakeCollector& collector) : cost_ns_(cost_ns), collector_(collector) {}

  [[nodiscard]] Stream stream() const override { return nullptr; }
  void flush_l2(Flush kind) override {
    flushes.push_back(kind);
    if (on_flush) {
      on_flush();
    }
  }
  void hold(std::uint32_t iteration) override {
    if (can_hold && facts_.let_go.empty()) {
      held_iteration = iteration;
      ++holds;
    }
  }
  void release() noexcept override {
    if (held_iteration) {
      ++releases;
    }
    held_iteration.reset();
  }
  // The host waited for the held device, and the watchdog let it go.
  void block() {
    if (held_iteration) {
      facts_.let_go.push_back(*held_iteration);
    }
  }
  void probe_clock() override {
    collector_.launch("clock_probe", 15'000);
    facts_.clocks.push_back({.cycles = 30'000, .time_ns = clock_time_ns});
  }
  [[nodiscard]] core::StageFacts take_facts() override {
    core::StageFacts facts = std::exchange(facts_, {});
    facts.hold_refusal = can_hold ? "" : "the device cannot be held";
    return facts;
  }
  void drain() override { ++drains; }
  void idle(std::int64_t time_ns) override { idles_ns.push_back(time_ns); }
  void wait_for_clock() override { ++clock_waits; }
  void launch_plain_kernel() override {
    // The first launch of a kernel loads it, and then waits for a held device.
    if (blocking_plain_launches-- > 0) {
      block();
    }
    collector_.launch("plain", 10'000);
  }
  double time_calls_ns(int calls, const std::function<void()>& body) override {
    for (int i = 0; i < calls; ++i) {
      body();
    }
    calibration_calls += calls;
    return cost_ns_;
  }
  std::int64_t time_one_ns(const std::function<void()>& body) override {
    body();
    return 5000;
  }

  std::vector<Flush> flushes;
  std::function<void()> on_flush;
  int drains = 0;
  int calibration_calls = 0;
  bool can_hold = true;
  std::optional<std::uint32_t> held_iteration;
  int holds = 0;
  int releases = 0;
  int clock_waits = 0;
  int blocking_plain_launches = 1;
  std::vector<std::int64_t> idles_ns;
  std::int64_t clock_time_ns = 15'000;  // of 30,000 cycles: 2,000 MHz

 private:
  double cost_ns_;
  FakeCollector& collector_;
  core::StageFacts facts_;
};

}  // namespace opgate::test
