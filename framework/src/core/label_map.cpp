#include "core/label_map.hpp"

#include <algorithm>
#include <limits>

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

// Every external record of our kind with a correlation id.
template <class Take>
void for_each_label(const PhaseRecords& records, const PhaseLabels& labels, const Take& take) {
  for (const RecordBuffer& buffer : records.buffers) {
    for (const Record& record : buffer) {
      if (record.kind == RecordKind::external && record.external_kind == labels.external_kind &&
          record.correlation_id != 0) {
        take(record);
      }
    }
  }
}

// The driver numbers its calls one by one, about three of which a phase labels; anything wider is not worth a table.
constexpr std::uint64_t kWidest = 16;

}  // namespace

LabelMap::LabelMap(const PhaseRecords& records, const PhaseLabels& labels) {
  std::size_t count = 0;
  std::uint32_t last = 0;
  first_ = std::numeric_limits<std::uint32_t>::max();
  for_each_label(records, labels, [&](const Record& record) {
    ++count;
    first_ = std::min(first_, record.correlation_id);
    last = std::max(last, record.correlation_id);
  });
  if (count == 0) {
    return;
  }
  if (const std::uint64_t width = std::uint64_t{last} - first_ + 1; width <= kWidest * count) {
    fill_table(records, labels, static_cast<std::size_t>(width));
  } else {
    fill_entries(records, labels, count);
  }
}

void LabelMap::fill_table(const PhaseRecords& records, const PhaseLabels& labels, std::size_t width) {
  table_.resize(width);
  for_each_label(records, labels, [&](const Record& record) {
    Label& label = table_[record.correlation_id - first_];
    const Label another = classify(record.external_id, labels);
    label = label.kind == Label::Kind::none ? another : merge(label, another);
  });
}

void LabelMap::fill_entries(const PhaseRecords& records, const PhaseLabels& labels, std::size_t count) {
  entries_.reserve(count);
  for_each_label(records, labels, [&](const Record& record) {
    entries_.push_back({record.correlation_id, classify(record.external_id, labels)});
  });
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

Label LabelMap::find(std::uint32_t correlation_id) const {
  if (!table_.empty()) {
    const std::uint32_t place = correlation_id - first_;  // below first_: wraps round and lies beyond the table
    return place < table_.size() ? table_[place] : Label{};
  }
  const auto found =
      std::lower_bound(entries_.begin(), entries_.end(), correlation_id,
                       [](const Entry& entry, std::uint32_t wanted) { return entry.correlation_id < wanted; });
  return found == entries_.end() || found->correlation_id != correlation_id ? Label{} : found->label;
}

}  // namespace opgate::core
