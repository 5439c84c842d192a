#include "report/timeline_records.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace opgate::report {
namespace {

using core::Label;
using core::Record;
using core::RecordKind;

bool numbered(Label::Kind kind) {
  return kind == Label::Kind::iteration || kind == Label::Kind::opening || kind == Label::Kind::closing;
}

// Correlation ids count a process's calls, so that what prepares an iteration has lower ones than the iteration.
void number_preparations(std::vector<PlacedRecord>& placed) {
  std::map<std::uint32_t, std::uint32_t> first_id;  // iteration -> lowest correlation id
  for (const PlacedRecord& one : placed) {
    if (one.iteration) {
      const auto [place, added] = first_id.try_emplace(*one.iteration, one.record->correlation_id);
      if (!added) place->second = std::min(place->second, one.record->correlation_id);
    }
  }
  std::vector<std::pair<std::uint32_t, std::uint32_t>> by_id;
  by_id.reserve(first_id.size());
  for (const auto& [iteration, id] : first_id) by_id.emplace_back(id, iteration);
  std::sort(by_id.begin(), by_id.end());
  for (PlacedRecord& one : placed) {
    if (one.label != Label::Kind::preparation) continue;
    const auto next = std::upper_bound(by_id.begin(), by_id.end(), one.record->correlation_id,
                                       [](std::uint32_t id, const auto& entry) { return id < entry.first; });
    if (next != by_id.end()) one.iteration = next->second;
  }
}

bool is_call_work(const PlacedRecord& placed) {
  return placed.label == Label::Kind::iteration && placed.on_device();
}

}  // namespace

PlacedRecords place_records(const collect::TracePhase& phase, std::uint32_t external_kind) {
  const core::LabelMap labels(phase.records, {.external_kind = external_kind,
                                              .nonce = phase.nonce,
                                              .iterations = phase.plan.iterations,
                                              .copies_allowed = true});
  PlacedRecords placed;
  for (const core::RecordBuffer& buffer : phase.records.buffers) {
    for (const Record& record : buffer) {
      if (record.kind == RecordKind::external) continue;
      if (record.start_ns <= 0 || record.end_ns < record.start_ns) {
        ++placed.without_times;
        continue;
      }
      const Label label = labels.find(record.correlation_id);
      placed.all.push_back({&record, label.kind, numbered(label.kind) ? std::optional(label.iteration) : std::nullopt});
    }
  }
  number_preparations(placed.all);
  const auto key = [](const PlacedRecord& one) {
    return std::tuple(one.record->start_ns, one.record->end_ns, one.record->correlation_id);
  };
  std::stable_sort(placed.all.begin(), placed.all.end(),
                   [&](const PlacedRecord& a, const PlacedRecord& b) { return key(a) < key(b); });
  return placed;
}

std::vector<core::Interval> IterationWork::call_on(std::uint32_t device) const {
  std::vector<core::Interval> work;
  for (const PlacedRecord& one : records) {
    if (is_call_work(one) && one.record->device_id == device) {
      work.push_back({one.record->start_ns, one.record->end_ns});
    }
  }
  return work;
}

std::vector<std::uint32_t> IterationWork::call_devices() const {
  std::set<std::uint32_t> devices;
  for (const PlacedRecord& one : records) {
    if (is_call_work(one)) devices.insert(one.record->device_id);
  }
  return {devices.begin(), devices.end()};
}

std::int64_t IterationWork::busy_ns() const {
  std::int64_t longest_ns = 0;
  for (const std::uint32_t device : call_devices()) {
    std::vector<core::Interval> work = call_on(device);
    longest_ns = std::max(longest_ns, core::measure_union(work).busy_ns);
  }
  return longest_ns;
}

std::vector<IterationWork> by_iteration(const PlacedRecords& placed) {
  std::map<std::uint32_t, IterationWork> iterations;
  for (const PlacedRecord& one : placed.all) {
    if (!one.iteration) continue;
    const core::Interval interval{one.record->start_ns, one.record->end_ns};
    const auto [place, added] = iterations.try_emplace(*one.iteration, IterationWork{*one.iteration, {}, interval});
    core::Interval& extent = place->second.extent;
    extent = {std::min(extent.start_ns, interval.start_ns), std::max(extent.end_ns, interval.end_ns)};
    place->second.records.push_back(one);
  }
  std::vector<IterationWork> sorted;
  sorted.reserve(iterations.size());
  for (auto& [iteration, work] : iterations) sorted.push_back(std::move(work));
  return sorted;
}

}  // namespace opgate::report
