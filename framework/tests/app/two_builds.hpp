#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "app/desk.hpp"
#include "device/environment.hpp"

namespace opgate::tests {

// Two build trees of one project whose case executables play what a plan says, and a GPU by the stand-in NVML.
class TwoBuilds : public Desk {
 public:
  TwoBuilds();
  // A case of the op "fake" in both trees. Plan: {"busy_ns": 100000, "noise": 0.0005, "behaviour": "crash", ...}.
  void plan(const std::string& workload, const nlohmann::json& base, const nlohmann::json& candidate);
  void plan_in(const std::string& tree, const std::string& workload, const nlohmann::json& plan);
  // Writes the trees; both executables are the same when `identical`.
  void build(bool identical = false);
  [[nodiscard]] Said ab(std::vector<std::string> words = {}) const;
  // The cases whose workers the tree started, in order.
  [[nodiscard]] std::vector<std::string> started(const std::string& tree) const;

  // What six fresh runs of the case read becomes its baseline in the base, or in the tree named.
  void accept(const std::string& workload, int busy_ns, const std::string& tree = "base") const;
  [[nodiscard]] Said gate(std::vector<std::string> words = {}) const;

  std::string extra = "";  // of both specs, e.g. "\"timeout_s\": 1,"
  std::string candidate_extra = "";
  std::string labels = R"(["nightly"])";
  std::string rows_extra = "";  // of the candidate's workloads, e.g. ", \"tolerance\": ..."
  int candidate_n = 16;
  int accepted_processes = 1;  // of the readings that accept() takes

 private:
  void write_tree(const std::string& tree, const std::filesystem::path& program, int n);
  nlohmann::json plans_{{"base", nlohmann::json::object()}, {"candidate", nlohmann::json::object()}};
  test::Variable library_{"OPGATE_NVML_LIBRARY", OPGATE_FAKE_NVML};
  test::Variable devices_{"FAKE_NVML_DEVICES", "1"};
  test::Variable visible_{"CUDA_VISIBLE_DEVICES"};
  test::Variable locks_{"OPGATE_LOCK_DIR", at("locks").string()};
};

}  // namespace opgate::tests
