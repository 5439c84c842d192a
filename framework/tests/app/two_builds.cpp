#include "app/two_builds.hpp"

#include <fmt/format.h>

#include <fstream>

#include "app/played.hpp"
#include "run/gpu_choice.hpp"
#include "run/request.hpp"
#include "store/baseline_file.hpp"

namespace opgate::tests {

namespace fs = std::filesystem;

TwoBuilds::TwoBuilds() = default;

void TwoBuilds::plan(const std::string& workload, const nlohmann::json& base, const nlohmann::json& candidate) {
  plan_in("base", workload, base);
  plan_in("candidate", workload, candidate);
}

void TwoBuilds::plan_in(const std::string& tree, const std::string& workload, const nlohmann::json& plan) {
  plans_[tree]["fake." + workload + ".f32"] = plan;
}

void TwoBuilds::build(bool identical) {
  write_tree("base", OPGATE_FAKE_CASE_A, 16);
  write_tree("candidate", identical ? OPGATE_FAKE_CASE_A : OPGATE_FAKE_CASE_B, candidate_n);
}

void TwoBuilds::write_tree(const std::string& tree, const fs::path& program, int n) {
  fs::create_directories(at(tree) / "bin");
  fs::create_directories(at(tree) / "opgate");
  fs::copy_file(program, at(tree) / "bin" / "op_fake", fs::copy_options::overwrite_existing);
  std::string workloads;
  for (const auto& [name, plan] : plans_[tree].items()) {
    const std::string workload = name.substr(5, name.size() - 9);
    workloads += fmt::format("{}{{\"name\": \"{}\", \"n\": {}{}}}", workloads.empty() ? "" : ",\n", workload, n,
                             tree == "base" ? "" : rows_extra);
  }
  const fs::path spec =
      write(tree + "/fake.json", fmt::format(R"({{"op": "fake", "doc": "y = x", {}
      "inputs": {{"x": "dtype[n]"}}, "outputs": {{"y": "dtype[n]"}}, "dtypes": ["f32"], "labels": {},
      "workloads": [{}]}})",
                                             extra + (tree == "base" ? "" : candidate_extra), labels, workloads));
  write(tree + "/plan.json", plans_[tree].dump());
  write(tree + "/opgate/project.json", nlohmann::json{{"version", 1},
                                                      {"source_dir", at(tree).string()},
                                                      {"build_dir", at(tree).string()},
                                                      {"specs", {{"fake", spec.string()}}},
                                                      {"history", at("h.sqlite").string()},
                                                      {"baselines", (at(tree) / "baselines").string()},
                                                      {"have_cuda", true}}
                                           .dump());
}

Said TwoBuilds::ab(std::vector<std::string> words) const {
  words.insert(words.begin(), {"ab", "--base", at("base").string(), "--candidate", at("candidate").string()});
  return bare(words);
}

void TwoBuilds::accept(const std::string& workload, int busy_ns, const std::string& tree) const {
  const std::string name = "fake." + workload + ".f32";
  const std::string unit = run::choose_gpu({}).uuid;
  store::CaseResult result;
  result.identity = run::request_from_spec(at("base") / "fake.json", name).identity;
  std::vector<core::CaseRun> runs;
  for (unsigned seed = 101; seed < 107; ++seed) {
    core::Attempt attempt = played_attempt({{"busy_ns", busy_ns}}, seed, unit);
    attempt.processes = accepted_processes;
    runs.push_back(store::case_run(result, attempt).value());
  }
  const auto path = store::baseline_path(at(tree) / "baselines", "NVIDIA H200", "fake");
  store::BaselineFile file = store::load_baseline_file(path).value_or(store::BaselineFile{"NVIDIA H200", "fake", {}});
  file.cases[name] = {core::summarise(runs), {"A <a@b>", "2026-01-01T00:00:00Z", std::string(40, 'a'), "first", {"u"}}};
  store::save_baseline_file(file, path);
}

Said TwoBuilds::gate(std::vector<std::string> words) const {
  words.insert(words.begin(), {"gate", "--base", at("base").string(), "--candidate", at("candidate").string(),
                               "--history", at("gate.sqlite").string(), "--summary", at("summary.md").string(),
                               "--comment", at("comment.md").string()});
  return bare(words);
}

std::vector<std::string> TwoBuilds::started(const std::string& tree) const {
  std::ifstream file(at(tree) / "started.log");
  std::vector<std::string> names;
  for (std::string line; std::getline(file, line);) names.push_back(line);
  return names;
}

}  // namespace opgate::tests
