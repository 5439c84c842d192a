#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>
#include <tuple>
#include <utility>

#include "core/claims.hpp"
#include "core/launch_calls.hpp"

namespace opgate::core {
namespace {

constexpr std::size_t kMaxNamed = 3;  // kinds of stray work told one by one

std::vector<std::uint32_t> ids_of(const Claims& claims) {
  std::vector<std::uint32_t> ids;
  for (const Stray& stray : claims.orphans) {
    ids.push_back(stray.record->correlation_id);
  }
  if (claims.first_work != nullptr) {
    ids.push_back(claims.first_work->correlation_id);
  }
  return ids;
}

// Tells stray work kind by kind: same work, same thread, same reason.
class StrayList {
 public:
  StrayList(const Claims& claims, const PhaseRecords& records, int iterations)
      : records_(records), iterations_(iterations), calls_(records, ids_of(claims)) {
    const Record* of_the_call = claims.first_work != nullptr ? calls_.of(*claims.first_work) : nullptr;
    callers_thread_ = of_the_call != nullptr ? of_the_call->thread_id : 0;
    for (const Stray& stray : claims.orphans) {
      const auto [place, added] = numbers_.try_emplace(key_of(stray), kinds_.size());
      if (added) {
        kinds_.emplace_back(&stray, 0);
      }
      ++kinds_[place->second].second;
    }
  }

  [[nodiscard]] std::string text() const {
    std::string list;
    for (std::size_t i = 0; i < std::min(kinds_.size(), kMaxNamed); ++i) {
      const auto& [stray, count] = kinds_[i];
      list += fmt::format("{}{} x {} from {}{}", i == 0 ? "" : "; ", count, work(*stray->record),
                          thread(*stray->record), why(stray->label));
    }
    return kinds_.size() > kMaxNamed ? fmt::format("{}; and {} more kinds", list, kinds_.size() - kMaxNamed) : list;
  }

 private:
  using Key = std::tuple<RecordKind, std::uint32_t, std::uint32_t, Label::Kind, std::uint32_t, std::uint64_t>;

  [[nodiscard]] Key key_of(const Stray& stray) const {
    const Record* call = calls_.of(*stray.record);
    // Of other labels only one example is told.
    const std::uint32_t iteration = stray.label.kind == Label::Kind::never_pushed ? stray.label.iteration : 0;
    return {stray.record->kind, stray.record->name, call != nullptr ? call->thread_id : 0,
            stray.label.kind,   iteration,          stray.record->bytes};
  }
  [[nodiscard]] std::string work(const Record& record) const {
    return record.kind == RecordKind::kernel ? kernel_name(record, records_)
                                             : fmt::format("{} ({} bytes)", calls_.name_of(record), record.bytes);
  }
  [[nodiscard]] std::string thread(const Record& record) const {
    const Record* call = calls_.of(record);
    if (call == nullptr) {
      return "an unknown thread (no launch call was recorded)";
    }
    const bool own = callers_thread_ != 0 && call->thread_id == callers_thread_;
    return fmt::format("thread {}{}", call->thread_id, own ? " (the call's own, outside of its label)" : "");
  }
  [[nodiscard]] std::string why(const Label& label) const {
    switch (label.kind) {
      case Label::Kind::other_phase:
        return ", with a label that is not of this phase";
      case Label::Kind::never_pushed:
        return fmt::format(", with the label of iteration {}, but only {} were pushed", label.iteration, iterations_);
      case Label::Kind::ambiguous:
        return ", with two different labels";
      default:
        return "";
    }
  }

  const PhaseRecords& records_;
  int iterations_;
  LaunchCalls calls_;
  std::uint32_t callers_thread_ = 0;
  std::map<Key, std::size_t> numbers_;  // a node per kind of stray work, not per record
  std::vector<std::pair<const Stray*, std::size_t>> kinds_;
};

}  // namespace

Issue off_thread_issue(const Claims& claims, const PhaseRecords& records, const PhaseLabels& labels) {
  const auto kernels =
      static_cast<std::size_t>(std::count_if(claims.orphans.begin(), claims.orphans.end(), [](const Stray& stray) {
        return stray.record->kind == RecordKind::kernel;
      }));
  const std::size_t copies = claims.orphans.size() - kernels;
  std::string subject = kernels > 0 ? count_of(kernels, "kernel") : "";
  if (copies > 0) {
    subject += (subject.empty() ? "" : " and ") + count_of(copies, "copy or memset call");
  }
  return {ErrorKind::off_thread_launch,
          fmt::format("{} {} no label of an iteration: {}", subject, claims.orphans.size() == 1 ? "carries" : "carry",
                      StrayList(claims, records, labels.iterations).text()),
          false,
          "launch from the thread that makes the call, or let the launching thread carry the call's label "
          "(opgate::LabelScope in opgate/label.hpp); leave the external id kind CUSTOM2 to opgate"};
}

}  // namespace opgate::core
