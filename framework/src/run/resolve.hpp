#pragma once

#include <optional>

#include "run/environment.hpp"
#include "run/project.hpp"
#include "run/request.hpp"

namespace opgate::run {

// The case of `options` from the project's specs or, when replaying, from a trace of the folder. Error(spec, trace).
[[nodiscard]] CaseRequest resolve_request(const CaseOptions& options, const Environment& environment,
                                          const std::optional<Project>& project);

}  // namespace opgate::run
