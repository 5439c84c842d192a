#pragma once

#include "core/baseline.hpp"
#include "core/result.hpp"

namespace opgate::store {

// How a reading was taken, as the rule compares it, but for the processes of its attempt.
[[nodiscard]] core::Conditions conditions_of(const core::DeviceIdentity& device,
                                             const core::ImplementationResult& ours);

}  // namespace opgate::store
