#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/attribution.hpp"
#include "core/records.hpp"

namespace opgate::core {

// Whose work a correlation id stands for.
struct Label {
  enum class Kind : std::uint8_t {
    none,          // no label was pushed on the launching thread
    iteration,     // one of this phase's iterations
    preparation,   // flush, reset
    opening,       // the clock probe before an iteration
    closing,       // and after it
    other_phase,   // a nonce that is not this phase's: a late record, or an id of the op itself
    never_pushed,  // this phase's nonce with an iteration beyond its count
    ambiguous,     // two different labels of this phase
  };
  Kind kind = Kind::none;
  std::uint32_t iteration = 0;
  bool operator==(const Label&) const = default;
};

// First pass: correlation id -> label, from every external record of our kind, wherever it lies in the buffers.
// CUPTI delivers the top of each kind's stack, so one id normally has one record. Should one carry several (nested
// pushes), a label of this phase wins over any other's, and two different labels of this phase are ambiguous: picking
// one by the order of records would make the figure depend on the order of buffers.
class LabelMap {
 public:
  LabelMap(const PhaseRecords& records, const PhaseLabels& labels);

  [[nodiscard]] Label find(std::uint32_t correlation_id) const;

 private:
  struct Entry {
    std::uint32_t correlation_id = 0;
    Label label;
  };
  void fill_table(const PhaseRecords& records, const PhaseLabels& labels, std::size_t width);
  void fill_entries(const PhaseRecords& records, const PhaseLabels& labels, std::size_t count);
  void merge_duplicates();

  // Either by place, from the lowest id on, or sorted, where ids lie far apart.
  std::uint32_t first_ = 0;
  std::vector<Label> table_;
  std::vector<Entry> entries_;
};

}  // namespace opgate::core
