#include <cstddef>
#include <utility>

#include "collect/trace.hpp"

namespace opgate::collect {
namespace {

class RecordingCollector final : public Collector {
 public:
  RecordingCollector(Collector& inner, Trace& trace, std::size_t most_records)
      : inner_(inner), trace_(trace), left_(most_records) {
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
    keep();
    return std::move(open_.records);
  }
  void abandon_phase() noexcept override { inner_.abandon_phase(); }
  [[nodiscard]] std::uint32_t external_kind() const override { return inner_.external_kind(); }
  [[nodiscard]] bool can_drain() const override { return inner_.can_drain(); }

 private:
  void keep() {
    std::size_t records = 0;
    for (const core::RecordBuffer& buffer : open_.records.buffers) records += buffer.size();
    if (!full_ && records <= left_) {
      left_ -= records;
      trace_.phases.push_back(open_);
    } else {
      full_ = true;
      trace_.phases = {};
    }
  }

  Collector& inner_;
  Trace& trace_;
  std::size_t left_;
  bool full_ = false;
  TracePhase open_;
};

}  // namespace

std::unique_ptr<Collector> make_recording_collector(Collector& inner, Trace& trace, std::size_t most_records) {
  return std::make_unique<RecordingCollector>(inner, trace, most_records);
}

}  // namespace opgate::collect
