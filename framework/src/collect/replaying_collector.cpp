#include <fmt/format.h>

#include <optional>
#include <utility>

#include "collect/label_stack.hpp"
#include "collect/trace.hpp"
#include "collect/trace_words.hpp"
#include "opgate/error.hpp"

namespace opgate::collect {
namespace {

std::string describe(const PhasePlan& plan) {
  return fmt::format("{} of {}, pass {}, attempt {}, {} iterations{}{}{}", word_of(kPhaseKinds, plan.kind),
                     plan.implementation.empty() ? "ours" : plan.implementation, plan.pass, plan.attempt,
                     plan.iterations, plan.held ? ", held" : "", plan.every_api ? ", every API traced" : "",
                     plan.drained ? ", drained" : "");
}

bool same_phase(const PhasePlan& a, const PhasePlan& b) {
  return a.kind == b.kind && a.implementation == b.implementation && a.pass == b.pass && a.attempt == b.attempt &&
         a.iterations == b.iterations && a.held == b.held && a.every_api == b.every_api && a.drained == b.drained;
}

class ReplayingCollector final : public Collector {
 public:
  explicit ReplayingCollector(Trace trace)
      : trace_(std::move(trace)),
        labels_([this](std::uint64_t id) { stack_.push_back(id); },
                [this]() -> std::optional<std::uint64_t> {
                  if (stack_.empty()) return std::nullopt;
                  const std::uint64_t id = stack_.back();
                  stack_.pop_back();
                  return id;
                }) {}

  void start() override {}
  std::uint32_t begin_phase(const PhasePlan& plan) override;
  void push(std::uint64_t external_id) override { labels_.push(external_id); }
  void pop(std::uint64_t expected_id) override { labels_.pop(expected_id); }
  core::PhaseRecords end_phase(core::StageFacts facts) override;
  void abandon_phase() noexcept override {
    stack_.clear();
    labels_.drain();
    open_ = nullptr;
  }
  [[nodiscard]] std::uint32_t external_kind() const override { return trace_.external_kind; }
  [[nodiscard]] bool can_drain() const override {
    return next_ < trace_.phases.size() && trace_.phases[next_].plan.drained;
  }

 private:
  [[noreturn]] void mismatch(const std::string& what) const {
    throw Error(ErrorKind::trace, what, fmt::format("trace of {}, phase {}", trace_.identity.name, next_ + 1),
                "replay with the options that the trace was recorded with, or record it again");
  }
  Trace trace_;
  std::size_t next_ = 0;
  const TracePhase* open_ = nullptr;
  std::vector<std::uint64_t> stack_;
  LabelStack labels_;
};

std::uint32_t ReplayingCollector::begin_phase(const PhasePlan& plan) {
  if (open_ != nullptr) mismatch("a phase was begun inside another one");
  if (next_ == trace_.phases.size()) {
    mismatch(fmt::format("the protocol asks for {}, but only {} phases were recorded", describe(plan), next_));
  }
  const TracePhase& recorded = trace_.phases[next_];
  if (!same_phase(plan, recorded.plan)) {
    mismatch(fmt::format("the protocol asks for {}, but {} was recorded", describe(plan), describe(recorded.plan)));
  }
  open_ = &recorded;
  ++next_;
  return recorded.nonce;
}

core::PhaseRecords ReplayingCollector::end_phase(core::StageFacts /*facts*/) {
  if (open_ == nullptr) mismatch("no phase is open");
  return std::exchange(open_, nullptr)->records;
}

}  // namespace

std::unique_ptr<Collector> make_replaying_collector(Trace trace) {
  return std::make_unique<ReplayingCollector>(std::move(trace));
}

}  // namespace opgate::collect
