#pragma once

#include "core/baseline.hpp"
#include "core/result.hpp"

namespace opgate::store {

// How a reading was taken, as the rule compares it.
[[nodiscard]] core::Conditions conditions_of(const core::DeviceIdentity& device,
                                             const core::ImplementationResult& ours);

}  // namespace opgate::store
