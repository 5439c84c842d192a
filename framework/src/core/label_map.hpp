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

  // `cursor` is the caller's, starts at 0, and makes look-ups in rising order of ids cheap.
  [[nodiscard]] Label find(std::uint32_t correlation_id, std::size_t& cursor) const;

 private:
  struct Entry {
    std::uint32_t correlation_id = 0;
    Label label;
  };
  void merge_duplicates();

  std::vector<Entry> entries_;
};

}  // namespace opgate::core
