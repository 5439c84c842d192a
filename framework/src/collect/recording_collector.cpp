#include <utility>

#include "collect/trace.hpp"

namespace opgate::collect {
namespace {

class RecordingCollector final : public Collector {
 public:
  RecordingCollector(Collector& inner, Trace& trace) : inner_(inner), trace_(trace) {
    trace_.external_kind = inner_.external_kind();
  }

  void start() override { inner_.start(); }
  std::uint32_t begin_phase(const PhasePlan& plan) override {
    open_ = {plan, inner_.begin_phase(plan), {}};
    return open_.nonce;
  }
  void push(std::uint64_t external_id) override { inner_.push(external_id); }
  void pop(std::uint64_t expected_id) override { inner_.pop(expected_id); }
  core::PhaseRecords end_phase(core::StageFacts facts) override {
    open_.records = inner_.end_phase(std::move(facts));
    trace_.phases.push_back(open_);
    return std::move(open_.records);
  }
  void abandon_phase() noexcept override { inner_.abandon_phase(); }
  [[nodiscard]] std::uint32_t external_kind() const override { return inner_.external_kind(); }

 private:
  Collector& inner_;
  Trace& trace_;
  TracePhase open_;
};

}  // namespace

std::unique_ptr<Collector> make_recording_collector(Collector& inner, Trace& trace) {
  return std::make_unique<RecordingCollector>(inner, trace);
}

}  // namespace opgate::collect
