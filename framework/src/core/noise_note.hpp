#pragma once

#include <string>

#include "core/baseline.hpp"
#include "core/findings.hpp"

namespace opgate::core {

// Where the noise of the accepted runs makes the limit half as wide again as it would be without: whether it is what
// medians of so few samples do, or what one process differs from the next, and the key of the spec that halves it.
// Empty otherwise, and where `run` has no samples to tell from. Only of the whole call: groups of a mixed call have
// samples of their own number.
[[nodiscard]] std::string noise_note(const Finding& finding, const CaseRun& run, const Terms& terms);

}  // namespace opgate::core
