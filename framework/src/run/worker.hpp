#pragma once

#include <functional>
#include <string>

#include "core/result.hpp"
#include "run/request.hpp"
#include "run/world.hpp"

namespace opgate::run {

// Told when a phase begins, so that a supervisor can name it when the worker dies in it.
using PhaseReport = std::function<void(const std::string& phase)>;

// One attempt of one case in this process: context, tracing, set-up, check, measure, recheck. Whatever is thrown in it
// becomes an attempt that says in which phase; nothing is thrown to the caller.
[[nodiscard]] core::Attempt run_attempt(World& world, const CaseRequest& request, const CaseOptions& options,
                                        const BenchOptions& bench, const PhaseReport& report);

}  // namespace opgate::run
