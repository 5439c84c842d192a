#pragma once

#include <string>
#include <string_view>

#include "run/request.hpp"

namespace opgate::run {

inline constexpr std::string_view kBuiltWithoutCuda = "built without CUDA";

// For OPGATE_REQUIRE_GPU=1 where no GPU can be used, because of `absent`.
[[nodiscard]] std::string remedy_without_gpu(std::string_view absent);
// Error(usage) for what can be asked of a GPU only, where a trace is replayed.
void refuse_what_a_trace_lacks(const CaseOptions& options);

}  // namespace opgate::run
