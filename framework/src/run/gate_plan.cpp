#include "run/gate_plan.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>

#include "report/format.hpp"

namespace opgate::run {
namespace {

using report::GateChange;
using report::GateEnd;

bool has_label(const spec::Case& one, const std::string& label) {
  return std::find(one.labels.begin(), one.labels.end(), label) != one.labels.end();
}

std::string percent(double tolerance) {
  return report::percent_text(tolerance * 100);
}

std::string tensors_text(const std::vector<Tensor>& tensors) {
  std::string text;
  for (const Tensor& tensor : tensors) {
    text += fmt::format("{}{} {}[{}]", text.empty() ? "" : ", ", tensor.name, to_string(tensor.dtype),
                        fmt::join(tensor.shape, ", "));
  }
  return text;
}

// What is measured; the rest of a row says how it is judged.
std::string meaning_of(const spec::Case& one) {
  std::string text;
  for (std::size_t i = 0; i < one.fills.size(); ++i) {
    if (one.fills[i] != core::Fill{}) text += fmt::format("{} {} ", one.inputs[i].name, core::describe(one.fills[i]));
  }
  for (const auto& [name, size] : one.workload.dimensions) text += fmt::format("{}={} ", name, size);
  for (const auto& [name, value] : one.workload.params) text += fmt::format("{}={} ", name, report::number_text(value));
  return text + tensors_text(one.inputs) + " -> " + tensors_text(one.outputs);
}

std::string iterations_text(const std::optional<int>& iterations) {
  return iterations ? std::to_string(*iterations) : "calibrated";
}

void compare_rows(const std::string& name, const spec::Case& base, const spec::Case& candidate,
                  std::vector<GateChange>& changes) {
  const auto add = [&](const char* what, const std::string& before, const std::string& now) {
    if (before != now) changes.push_back({what, name, fmt::format("{} -> {}", before, now)});
  };
  add("tolerance", percent(base.tolerance), percent(candidate.tolerance));
  add("labels", fmt::format("{}", fmt::join(base.labels, " ")), fmt::format("{}", fmt::join(candidate.labels, " ")));
  add("time limit", fmt::format("{} s", base.timeout_s), fmt::format("{} s", candidate.timeout_s));
  add("iterations", iterations_text(base.iterations), iterations_text(candidate.iterations));
  add("processes", std::to_string(base.processes), std::to_string(candidate.processes));
  add("workload", meaning_of(base), meaning_of(candidate));
  add("flops", report::number_text(base.flops.value_or(0)), report::number_text(candidate.flops.value_or(0)));
  add("bytes", report::number_text(base.bytes_read + base.bytes_written),
      report::number_text(candidate.bytes_read + candidate.bytes_written));
}

// A new case of the same op that measures the same: the removed one under another name.
std::optional<std::string> renamed_to(const spec::Case& removed, const CaseTable& base, const CaseTable& candidate) {
  for (const auto& [name, one] : candidate) {
    if (!base.contains(name) && one.workload.op == removed.workload.op && meaning_of(one) == meaning_of(removed)) {
      return name;
    }
  }
  return std::nullopt;
}

report::GateCase removed_case(const std::string& name, const std::optional<std::string>& renamed, bool allowed) {
  report::GateCase one;
  one.name = name;
  one.end = allowed ? GateEnd::removed_allowed : GateEnd::removed;
  one.code = allowed ? core::ExitCode::pass : core::ExitCode::cannot_run;
  one.reason = renamed ? fmt::format("the candidate measures the same as {}", *renamed)
                       : "the merge base has this case, the candidate has not";
  if (!allowed) one.reason += "; --allow-removed lets it go";
  return one;
}

std::string requirements_text(const spec::Spec& spec) {
  std::vector<std::string> words;
  if (spec.compute_capability) words.push_back(fmt::format("compute capability {}", *spec.compute_capability));
  if (spec.memory_gib) words.push_back(fmt::format("{} GiB", report::number_text(*spec.memory_gib)));
  return words.empty() ? "none" : fmt::format("{}", fmt::join(words, ", "));
}

void compare_specs(const GateTree& base, const GateTree& candidate, std::vector<GateChange>& changes) {
  for (const auto& [name, before] : base.specs) {
    const std::string& op = name;  // clang 14 lets no lambda see a part of a binding
    const auto found = candidate.specs.find(op);
    if (found == candidate.specs.end()) continue;
    const spec::Spec& now = found->second;
    const auto add = [&](const char* what, const std::string& was, const std::string& is) {
      if (was != is) changes.push_back({what, op, fmt::format("{} -> {}", was, is)});
    };
    add("requirements", requirements_text(before), requirements_text(now));
    add("copies", before.count_copies ? "count" : "forbid", now.count_copies ? "count" : "forbid");
    add("libraries", fmt::format("[{}]", fmt::join(before.baselines, ", ")),
        fmt::format("[{}]", fmt::join(now.baselines, ", ")));
  }
}

}  // namespace

GateTree load_gate_tree(const Project& project, const std::function<bool(const std::string&)>& wanted) {
  GateTree tree;
  for (const auto& [op, path] : project.specs) {
    spec::Spec spec = spec::load_spec(path);
    for (spec::Case& one : spec::expand(spec)) {
      if (std::string name = one.workload.case_name(); wanted(name)) tree.cases.emplace(name, std::move(one));
    }
    tree.specs.emplace(op, std::move(spec));
  }
  return tree;
}

GatePlan plan_gate(const GateTree& base_tree, const GateTree& candidate_tree, const std::string& label,
                   bool allow_removed) {
  GatePlan plan;
  compare_specs(base_tree, candidate_tree, plan.changes);
  const CaseTable& base = base_tree.cases;
  const CaseTable& candidate = candidate_tree.cases;
  for (const auto& [name, before] : base) {
    const auto now = candidate.find(name);
    const bool expected = has_label(before, label);
    plan.expected += expected ? 1 : 0;
    if (now != candidate.end()) {
      compare_rows(name, before, now->second, plan.changes);
      if (expected) plan.present.push_back({name, false});
    } else if (expected) {
      const auto renamed = renamed_to(before, base, candidate);
      plan.changes.push_back({"case removed", name, renamed ? "now " + *renamed : "gone"});
      plan.removed.push_back(removed_case(name, renamed, allow_removed));
    }
  }
  for (const auto& [name, now] : candidate) {
    const auto before = base.find(name);
    if (!has_label(now, label) || (before != base.end() && has_label(before->second, label))) continue;
    plan.present.push_back({name, true});
    plan.changes.push_back({"case added", name, before == base.end() ? "new" : "labelled " + label + " here first"});
  }
  std::sort(plan.present.begin(), plan.present.end(),
            [](const PlannedCase& a, const PlannedCase& b) { return a.name < b.name; });
  return plan;
}

}  // namespace opgate::run
