#pragma once

#include <chrono>
#include <string>

#include "core/result.hpp"
#include "run/child.hpp"

namespace opgate::run {

// Starts a worker and turns whatever becomes of it into an attempt: its own, or one that says how it died and where.
[[nodiscard]] core::Attempt run_worker(const ChildCommand& command, std::chrono::steady_clock::time_point deadline);

// The lines a worker sends.
void send_phase(int descriptor, const std::string& phase);
void send_result(int descriptor, const core::Attempt& attempt);

}  // namespace opgate::run
