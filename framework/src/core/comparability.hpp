#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "core/baseline.hpp"

namespace opgate::core {

// What becomes of a reading when it and the accepted runs differ in something.
enum class Answer : std::uint8_t {
  yes,              // it is compared as if they agreed
  flagged,          // it is compared, and a note tells the difference
  wider,            // it is compared with more tolerance
  no_overlap,       // flagged where kernels of the call overlap neither in the accepted runs nor now; else no
  with_dimensions,  // flagged where the case has dimensions; else no, since then it is all that tells cases apart
  no,
};

// A row of the one table of what may differ; README.md shows the same table.
struct ComparabilityRow {
  const char* what;
  Answer differs;    // both are known
  Answer one_sided;  // unknown on one side
  Answer unknown;    // on both
  // What is compared, "" when unknown. Null for what is known elsewhere: units, kernels, and patch levels, which are
  // cut off before.
  std::string (*value)(const CaseIdentity&, const Conditions&);
};

[[nodiscard]] std::span<const ComparabilityRow> comparability_table();
[[nodiscard]] const char* to_string(Answer answer);  // as in README.md

}  // namespace opgate::core
