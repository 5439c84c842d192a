#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "run/project.hpp"
#include "store/history.hpp"

namespace opgate::run {

// A run that starts now on this machine, with the commit of the project's sources where git knows it.
[[nodiscard]] store::RunInfo new_run(const std::string& origin, bool replayed, const std::optional<Project>& project,
                                     const std::string& label);

// Opens it. Replayed and measured runs never share a history: Error(history) when the newest ones are of the other
// kind.
std::int64_t open_separate_run(store::History& history, const store::RunInfo& run);

}  // namespace opgate::run
