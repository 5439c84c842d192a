#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "run/project.hpp"
#include "store/history.hpp"

namespace opgate::run {

[[nodiscard]] std::int64_t unix_ms();

// A run that starts now on this machine, with the commit of the project's sources where git knows it.
[[nodiscard]] store::RunInfo new_run(const std::string& origin, bool replayed, const std::optional<Project>& project,
                                     const std::string& label);

}  // namespace opgate::run
