#include <fmt/format.h>

#include <algorithm>

#include "spec/fill_spec.hpp"
#include "spec/formula.hpp"
#include "spec/load_fields.hpp"
#include "text/suggest.hpp"

namespace opgate::spec {
namespace {

using text::Json;

// Reviews and merges work by lines; so does the place an error names.
void check_layout(const Json& row, int previous_line) {
  if (row.line() != row.end_line()) {
    throw row.error(fmt::format("a workload spans lines {} to {}", row.line(), row.end_line()),
                    "write one workload per line");
  }
  if (row.line() == previous_line) throw row.error("two workloads on one line", "write one workload per line");
}

void load_params(const Json& value, const Spec& spec, WorkloadSpec& workload) {
  for (const auto& [name, number] : parse_params(value)) {
    const auto known = workload.params.find(name);
    if (known == workload.params.end()) {
      throw value.error(fmt::format("parameter \"{}\" is not one of op \"{}\"", name, spec.op),
                        fmt::format("declare \"{}\" with its default under the op's \"params\"", name));
    }
    known->second = number;
  }
}

// Its bounds use the dimensions that the op's own keys use, so that every workload gives the same ones.
void load_fills(const Json& value, const Dimensions& dimensions, const Spec& spec, WorkloadSpec& workload) {
  for (auto& [tensor, fill] : parse_fills(value, spec)) {
    if (!fill.bound.empty()) {
      const Json& at = value.at(tensor);
      for (const std::string& name : Formula::parse(fill.bound, at.where()).names()) {
        if (dimensions.contains(name)) continue;
        throw at.error(fmt::format("fill of \"{}\" uses the unknown name \"{}\"", tensor, name),
                       "use dimensions of the op");
      }
    }
    workload.fills.insert_or_assign(tensor, fill);
  }
}

void load_tolerance(const Json& row, const Spec& spec, WorkloadSpec& workload) {
  if (const Json* why = row.find("why")) workload.why = non_empty(*why, "why");
  if (workload.why.empty()) workload.why = spec.why;
  const Json* tolerance = row.find("tolerance");
  if (tolerance == nullptr) return;
  workload.tolerance = parse_tolerance(*tolerance);
  if (*workload.tolerance != kDefaultTolerance && workload.why.empty()) {
    throw tolerance->error(
        fmt::format("\"tolerance\" of workload \"{}\" differs from 1% without a reason", workload.name),
        "add \"why\" beside it");
  }
}

void load_labels(const Json& row, WorkloadSpec& workload) {
  const Json* value = row.find("labels");
  if (value == nullptr) return;
  for (const std::string& label : parse_labels(*value)) {
    auto& labels = workload.labels;
    if (std::find(labels.begin(), labels.end(), label) == labels.end()) labels.push_back(label);
  }
}

void load_dimensions(const Json& row, const Dimensions& dimensions, WorkloadSpec& workload) {
  std::vector<std::string_view> known = {"name", "labels",    "tolerance",  "why",      "params",
                                         "fill", "timeout_s", "iterations", "processes"};
  known.insert(known.end(), dimensions.begin(), dimensions.end());
  row.only(known);
  for (const std::string& name : dimensions) {
    const Json* value = row.find(name);
    if (value == nullptr) {
      throw row.error(fmt::format("workload \"{}\" lacks dimension \"{}\"", workload.name, name),
                      fmt::format("add \"{}\": and its size to the workload", name));
    }
    workload.dimensions.emplace(name, integer_within(*value, name, 1));
  }
}

}  // namespace

void load_workloads(const Json& rows, const Dimensions& dimensions, Spec& spec) {
  std::map<std::string, int, std::less<>> lines;
  int previous_line = 0;
  for (const Json& row : rows.as_array()) {
    WorkloadSpec workload;
    workload.line = row.line();
    const Json& name = row.at("name");
    workload.name = name.as_string();
    require(check_workload_name(workload.name), name);
    const auto [first, is_new] = lines.emplace(workload.name, workload.line);
    if (!is_new) {
      throw row.error(fmt::format("workload \"{}\" was already defined in line {}", workload.name, first->second),
                      "rename or remove one of the two");
    }
    check_layout(row, previous_line);
    previous_line = row.end_line();
    load_dimensions(row, dimensions, workload);
    workload.params = spec.params;
    if (const Json* value = row.find("params")) load_params(*value, spec, workload);
    workload.fills = spec.fills;
    if (const Json* value = row.find("fill")) load_fills(*value, dimensions, spec, workload);
    workload.labels = spec.labels;
    load_labels(row, workload);
    load_tolerance(row, spec, workload);
    if (const Json* value = row.find("timeout_s")) workload.timeout_s = parse_timeout(*value);
    if (const Json* value = row.find("iterations")) workload.iterations = parse_iterations(*value);
    if (const Json* value = row.find("processes")) workload.processes = parse_processes(*value);
    spec.workloads.push_back(std::move(workload));
  }
}

}  // namespace opgate::spec
