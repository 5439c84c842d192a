#pragma once

#include <optional>
#include <string>

#include "core/result.hpp"
#include "store/history.hpp"

namespace opgate::report {

// Launches of a kernel in one call; absent where one number does not say it: calls of several kernel groups, a kernel
// launched in several shapes, rows that do not know.
[[nodiscard]] std::optional<int> launches_per_call(const core::ImplementationResult& implementation,
                                                   const core::KernelInfo& kernel);
// Every kernel of every implementation by its whole name, with what it was launched with; empty when nothing is known.
[[nodiscard]] std::string kernels_block(const store::CaseResult& result);

}  // namespace opgate::report
