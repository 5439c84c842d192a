#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "core/verdict.hpp"
#include "store/history.hpp"

namespace opgate::run {

// Runs one more fresh worker and returns its attempt; absent when there is no time left for one.
using FreshWorker = std::function<std::optional<core::Attempt>()>;

// The code of the verdict, unless some attempt computed something wrong: that is not undone by another one that did
// not.
[[nodiscard]] core::ExitCode exit_code_of_attempts(const store::CaseResult& result, core::ExitCode verdict);

// Judges the first attempt of `result` against the stored baseline; a suspect is measured again by a fresh worker (and
// by a second one when that one gave no reading, or when the change is near its limit), whose attempts are appended to
// `result`. A suspect that could not be
// confirmed is inconclusive, and so is one of which a fresh worker gave a wrong result. A waiver beside the baselines
// that covers the case on `today` ("2026-12-31") goes into the judgement.
[[nodiscard]] core::Judgement settle(store::CaseResult& result, const std::filesystem::path& baselines,
                                     const FreshWorker& fresh_worker, const std::string& today);

}  // namespace opgate::run
