#pragma once

#include <filesystem>
#include <string>

#include "run/project.hpp"
#include "run/request.hpp"

namespace opgate::run {

// One of two build trees of the same project.
struct BuildTree {
  std::string name;  // "base", "candidate"
  Project project;
};

// The program that measures the cases of an op.
[[nodiscard]] std::filesystem::path case_executable(const BuildTree& tree, const std::string& op);

// Why a case may read differently in the two builds; empty when everything that a reading comes from is the same byte
// for byte: what the executables load (host and device code of the op, and opgate, which is linked in), the shared
// libraries that the loader finds for them, and what the spec says of the case. The driver is the machine's, so it is
// the same. In any doubt this says what the doubt is.
[[nodiscard]] std::string build_difference(const BuildTree& base, const CaseRequest& base_request,
                                           const BuildTree& candidate, const CaseRequest& candidate_request);

// Its two halves: of the spec, by case, and of what was built, by op. Error(io) when a program cannot be read.
[[nodiscard]] std::string row_difference(const CaseRequest& base, const CaseRequest& candidate);
[[nodiscard]] std::string program_difference(const BuildTree& base, const BuildTree& candidate, const std::string& op);

}  // namespace opgate::run
