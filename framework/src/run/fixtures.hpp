#pragma once

#include <string>
#include <vector>

#include "core/exit_code.hpp"
#include "run/environment.hpp"
#include "run/project.hpp"
#include "store/history.hpp"

namespace opgate::run {

// Of `opgate doctor` what takes milliseconds. Error(device) when it makes the GPU unfit; what is only worth knowing
// comes back.
[[nodiscard]] std::vector<std::string> check_fitness(const std::string& uuid);

// Whether some attempt was measured on a GPU, and not replayed.
[[nodiscard]] bool measured_anything(const std::vector<store::CaseResult>& results);

// `opgate.machine`: opens the run of the ctest process that started us. Skips with the reason where there is no GPU and
// none is required. Error when the history is not writable or the GPU cannot be used.
[[nodiscard]] core::ExitCode open_fixture(const Project& project, const Environment& environment);

// `opgate.complete`: closes it and prints the summary. Fails when a selected case recorded nothing or twice, or when
// nothing was measured although a GPU is required; a red case is red by itself.
[[nodiscard]] core::ExitCode close_fixture(const Project& project, const Environment& environment);

}  // namespace opgate::run
