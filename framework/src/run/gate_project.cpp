#include "run/gate_project.hpp"

#include <array>
#include <map>
#include <nlohmann/json.hpp>
#include <string_view>

#include "opgate/error.hpp"
#include "spec/spec.hpp"
#include "text/file.hpp"

namespace opgate::run {
namespace {

using Json = nlohmann::ordered_json;
namespace fs = std::filesystem;

// How a reading is taken and judged, in an op and in its workloads alike.
constexpr std::array<std::string_view, 6> kJudging{"tolerance", "why",        "labels",
                                                   "timeout_s", "iterations", "processes"};

Json parsed(const std::string& text) {
  try {
    return Json::parse(text);
  } catch (const Json::exception& error) {
    throw Error(ErrorKind::spec, error.what(), "a spec of the gate", "run opgate validate");
  }
}

// What a workload says of `key` once the op's own value is gone.
void make_explicit(const Json& op, Json& workload) {
  for (const std::string_view key : kJudging) {
    const std::string name(key);
    if (!op.contains(name)) continue;
    if (name == "labels") {
      Json labels = op.at(name);
      for (const Json& label : workload.value(name, Json::array())) labels.push_back(label);
      std::map<std::string, bool> seen;
      Json once = Json::array();
      for (const Json& label : labels) {
        if (!std::exchange(seen[label.get<std::string>()], true)) once.push_back(label);
      }
      workload[name] = once;
    } else if (!workload.contains(name)) {
      workload[name] = op.at(name);
    }
  }
}

void take_judging(const Json& from, Json& into) {
  for (const std::string_view key : kJudging) {
    const std::string name(key);
    into.erase(name);
    if (from.contains(name)) into[name] = from.at(name);
  }
}

// One workload per line, as the loader wants it.
std::string formatted(const Json& spec) {
  std::string text = "{";
  const char* separator = "\n  ";
  for (const auto& [key, value] : spec.items()) {
    text += separator + Json(key).dump() + ": ";
    separator = ",\n  ";
    if (key != "workloads") {
      text += value.dump();
      continue;
    }
    text += "[";
    const char* between = "\n    ";
    for (const Json& workload : value) {
      text += between + workload.dump();
      between = ",\n    ";
    }
    text += "\n  ]";
  }
  return text + "\n}\n";
}

}  // namespace

std::string gate_spec(const std::string& base, const std::string& candidate) {
  const Json judge = parsed(base);
  Json spec = parsed(candidate);
  std::map<std::string, Json> rows;
  for (const Json& workload : judge.at("workloads")) {
    Json row = workload;
    make_explicit(judge, row);
    rows.emplace(row.at("name").get<std::string>(), std::move(row));
  }
  for (Json& workload : spec.at("workloads")) {
    make_explicit(spec, workload);
    const auto row = rows.find(workload.at("name").get<std::string>());
    if (row != rows.end()) take_judging(row->second, workload);
  }
  take_judging(Json::object(), spec);
  spec.erase("requires");
  if (judge.contains("requires")) spec["requires"] = judge.at("requires");
  return formatted(spec);
}

Project write_gate_project(const Project& base, const Project& candidate, const fs::path& history,
                           const fs::path& folder) {
  Project project = candidate;
  project.file = folder / "opgate" / "project.json";
  project.history = history;
  project.baselines = base.baselines;
  fs::create_directories(folder / "opgate");
  fs::create_directories(folder / "specs");
  for (auto& [op, path] : project.specs) {
    const auto before = base.specs.find(op);
    if (before == base.specs.end()) continue;
    const fs::path merged = folder / "specs" / (op + ".json");
    text::write_file(
        merged, gate_spec(text::read_file(before->second, ErrorKind::spec), text::read_file(path, ErrorKind::spec)),
        ErrorKind::io);
    (void)spec::load_spec(merged);  // now, and not in every case
    path = merged;
  }
  Json specs = Json::object();
  for (const auto& [op, path] : project.specs) specs[op] = path.string();
  const Json file{{"version", 1},
                  {"source_dir", project.source_dir.string()},
                  {"build_dir", project.build_dir.string()},
                  {"specs", specs},
                  {"history", project.history.string()},
                  {"baselines", project.baselines.string()},
                  {"have_cuda", project.have_cuda},
                  {"altered", project.altered}};
  text::write_file(project.file, file.dump(2) + "\n", ErrorKind::io);
  return project;
}

}  // namespace opgate::run
