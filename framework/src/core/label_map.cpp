#include "core/label_map.hpp"

#include <algorithm>

namespace opgate::core {
namespace {

Label classify(std::uint64_t external_id, const PhaseLabels& labels) {
  const auto nonce = static_cast<std::uint32_t>(external_id >> 32U);
  const auto lower = static_cast<std::uint32_t>(external_id);
  if (nonce != labels.nonce) {
    return {Label::Kind::other_phase, lower};
  }
  if (lower == kPreparation) {
    return {Label::Kind::preparation, lower};
  }
  const std::uint32_t iteration = lower & kIterationMask;
  if (static_cast<std::int64_t>(iteration) >= labels.iterations) {
    return {Label::Kind::never_pushed, lower};
  }
  switch (lower & ~kIterationMask) {
    case 0:
      return {Label::Kind::iteration, iteration};
    case kOpeningProbe:
      return {Label::Kind::opening, iteration};
    case kClosingProbe:
      return {Label::Kind::closing, iteration};
    default:
      return {Label::Kind::never_pushed, lower};
  }
}

// Commutative and associative, so that the order of records does not matter.
Label merge(const Label& a, const Label& b) {
  if (a.kind == Label::Kind::other_phase) {
    return b;
  }
  if (b.kind == Label::Kind::other_phase || a == b) {
    return a;
  }
  return {Label::Kind::ambiguous, 0};
}

}  // namespace

LabelMap::LabelMap(const PhaseRecords& records, const PhaseLabels& labels) {
  std::size_t total = 0;
  for (const RecordBuffer& buffer : records.buffers) {
    total += buffer.size();
  }
  entries_.reserve(total / 3);  // a launch usually is one kernel, one api and one external record
  for (const RecordBuffer& buffer : records.buffers) {
    for (const Record& record : buffer) {
      if (record.kind == RecordKind::external && record.external_kind == labels.external_kind &&
          record.correlation_id != 0) {
        entries_.push_back({record.correlation_id, classify(record.external_id, labels)});
      }
    }
  }
  const auto by_id = [](const Entry& a, const Entry& b) { return a.correlation_id < b.correlation_id; };
  if (!std::is_sorted(entries_.begin(), entries_.end(), by_id)) {
    std::sort(entries_.begin(), entries_.end(), by_id);
  }
  merge_duplicates();
}

void LabelMap::merge_duplicates() {
  std::size_t kept = 0;
  for (const Entry& entry : entries_) {
    if (kept > 0 && entries_[kept - 1].correlation_id == entry.correlation_id) {
      entries_[kept - 1].label = merge(entries_[kept - 1].label, entry.label);
    } else {
      entries_[kept++] = entry;
    }
  }
  entries_.resize(kept);
}

Label LabelMap::find(std::uint32_t correlation_id, std::size_t& cursor) const {
  if (cursor < entries_.size() && entries_[cursor].correlation_id == correlation_id) {
    return entries_[cursor].label;
  }
  if (cursor + 1 < entries_.size() && entries_[cursor + 1].correlation_id == correlation_id) {
    return entries_[++cursor].label;
  }
  const auto found =
      std::lower_bound(entries_.begin(), entries_.end(), correlation_id,
                       [](const Entry& entry, std::uint32_t wanted) { return entry.correlation_id < wanted; });
  if (found == entries_.end() || found->correlation_id != correlation_id) {
    return {};
  }
  cursor = static_cast<std::size_t>(found - entries_.begin());
  return found->label;
}

}  // namespace opgate::core
