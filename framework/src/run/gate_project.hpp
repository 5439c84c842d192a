#pragma once

#include <filesystem>
#include <string>

#include "run/project.hpp"

namespace opgate::run {

// A spec with what the candidate's op computes, judged as the merge base says: tolerance, reason, labels, time limit,
// iterations and processes of every workload that both have, and the op's requirements. Workloads of the candidate
// alone keep their own. Both texts must be specs that load. Error(spec) otherwise.
[[nodiscard]] std::string gate_spec(const std::string& base, const std::string& candidate);

// Writes the candidate's project as the gate sees it into `folder`: its programs and sources, such specs, the
// baselines of the merge base, and a history of the gate's own. What its cases are started with as OPGATE_PROJECT.
[[nodiscard]] Project write_gate_project(const Project& base, const Project& candidate,
                                         const std::filesystem::path& history, const std::filesystem::path& folder);

}  // namespace opgate::run
