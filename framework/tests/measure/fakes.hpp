#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <string>
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
    return ++nonce_;
  }
  void push(std::uint64_t id) override { labels_.push_back(id); }
  void pop(std::uint64_t) override { labels_.pop_back(); }
  core::PhaseRecords end_phase() override {
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
    ++correlation_;
    core::Record kernel;
    kernel.kind = core::RecordKind::kernel;
    kernel.start_ns = clock_ns_;
    kernel.end_ns = clock_ns_ + duration_ns;
    kernel.correlation_id = correlation_;
    kernel.name = kernel_index(name);
    clock_ns_ += duration_ns;
    records_.buffers.back().push_back(kernel);
    if (!labels_.empty()) {
      core::Record external;
      external.kind = core::RecordKind::external;
      external.correlation_id = correlation_;
      external.external_kind = kKind;
      external.external_id = labels_.back();
      records_.buffers.back().push_back(external);
    }
  }
  [[nodiscard]] bool preparing() const {
    return !labels_.empty() && static_cast<std::uint32_t>(labels_.back()) == core::kPreparation;
  }
  [[nodiscard]] bool labelled() const { return !labels_.empty(); }

  std::vector<std::uint64_t> drops;  // of the first phases; 0 after that
  std::vector<collect::PhasePlan> plans;
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
  explicit FakeStage(double cost_ns) : cost_ns_(cost_ns) {}

  [[nodiscard]] Stream stream() const override { return nullptr; }
  void flush_l2(Flush kind) override {
    flushes.push_back(kind);
    if (on_flush) {
      on_flush();
    }
  }
  void drain() override { ++drains; }
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

 private:
  double cost_ns_;
};

}  // namespace opgate::test
