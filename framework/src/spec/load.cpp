#include <fmt/format.h>

#include <algorithm>

#include "spec/expansion.hpp"
#include "spec/fill_spec.hpp"
#include "spec/formula.hpp"
#include "spec/load_fields.hpp"
#include "spec/spec.hpp"
#include "spec/tensor_spec.hpp"
#include "text/file.hpp"
#include "text/suggest.hpp"

namespace opgate::spec {
namespace {

using text::Json;

std::string load_op(const Json& value, const std::filesystem::path& path) {
  const std::string& op = value.as_string();
  require(check_op_name(op), value);
  const std::string stem = path.stem().string();
  if (stem != op) {
    throw value.error(fmt::format("op \"{}\" stands in a file named \"{}\"", op, path.filename().string()),
                      fmt::format("rename the file to {}.json, or the op to \"{}\"", op, stem));
  }
  return op;
}

std::vector<TensorSpec> load_tensors(const Json& value, std::string_view key) {
  check_entries(value.as_object().size(), value, key);
  std::vector<TensorSpec> tensors;
  for (const auto& [name, text] : value.as_object()) {
    require(check_identifier(name, "tensor"), text);
    tensors.push_back(parse_tensor(name, text.as_string(), text.where()));
  }
  return tensors;
}

std::vector<DType> load_dtypes(const Json& value) {
  const std::vector<std::string> names = parse_list(value, "dtypes");
  if (names.empty()) throw value.error("\"dtypes\" is empty", "list at least one dtype");
  std::vector<DType> dtypes;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const auto dtype = find_dtype(names[i]);
    if (!dtype) {
      throw value.as_array()[i].error(fmt::format("unknown dtype \"{}\"", names[i]),
                                      fmt::format("use one of {}", known_dtypes()));
    }
    dtypes.push_back(*dtype);
  }
  return dtypes;
}

std::vector<std::string> load_baselines(const Json& value) {
  std::vector<std::string> libraries = parse_list(value, "baselines");
  for (std::size_t i = 0; i < libraries.size(); ++i) require(check_library_name(libraries[i]), value.as_array()[i]);
  return libraries;
}

void load_requirements(const Json& value, Spec& spec) {
  value.only({"compute_capability", "memory_gib"});
  if (const Json* capability = value.find("compute_capability")) {
    spec.compute_capability = static_cast<int>(integer_within(*capability, "compute_capability", 10, 999));
  }
  if (const Json* memory = value.find("memory_gib")) {
    spec.memory_gib = memory->as_number();
    if (!(*spec.memory_gib > 0) || *spec.memory_gib > 1e6) {
      throw memory->error("\"memory_gib\" must be above 0 and at most 1000000", "write the memory a case needs in GiB");
    }
  }
}

bool load_copies(const Json& value) {
  const std::string& mode = value.as_string();
  if (mode != "forbid" && mode != "count") {
    throw value.error(fmt::format("\"copies\" is \"{}\"", mode), "write \"forbid\" or \"count\"");
  }
  return mode == "count";
}

void load_options(const Json& root, Spec& spec) {
  if (const Json* value = root.find("doc")) spec.doc = value->as_string();
  if (const Json* value = root.find("params")) spec.params = parse_params(*value);
  if (const Json* value = root.find("baselines")) spec.baselines = load_baselines(*value);
  if (const Json* value = root.find("requires")) load_requirements(*value, spec);
  if (const Json* value = root.find("copies")) spec.count_copies = load_copies(*value);
  if (const Json* value = root.find("labels")) spec.labels = parse_labels(*value);
  if (const Json* value = root.find("timeout_s")) spec.timeout_s = parse_timeout(*value);
  if (const Json* value = root.find("iterations")) spec.iterations = parse_iterations(*value);
  if (const Json* value = root.find("processes")) spec.processes = parse_processes(*value);
  if (const Json* value = root.find("why")) spec.why = non_empty(*value, "why");
  if (const Json* value = root.find("tolerance")) {
    spec.tolerance = parse_tolerance(*value);
    if (spec.tolerance != kDefaultTolerance && spec.why.empty()) {
      throw value->error("\"tolerance\" differs from 1% without a reason", "add \"why\" beside it");
    }
  }
}

void add_dimension(const std::string& name, const Json& at, Dimensions& dimensions) {
  constexpr std::array<std::string_view, 9> kRowKeys = {"name", "params",    "labels",     "tolerance", "why",
                                                        "fill", "timeout_s", "iterations", "processes"};
  require(check_identifier(name, "dimension"), at);
  if (std::find(kRowKeys.begin(), kRowKeys.end(), name) != kRowKeys.end()) {
    throw at.error(fmt::format("dimension name \"{}\" is a key of every workload", name), "choose another name");
  }
  dimensions.insert(name);
  if (dimensions.size() > kMostEntries) {
    throw at.error(fmt::format("more than {} dimensions", kMostEntries), "merge dimensions");
  }
}

void add_shape_dimensions(const Json& tensors, const std::vector<TensorSpec>& specs, Dimensions& dimensions) {
  for (const TensorSpec& tensor : specs) {
    for (const std::string& extent : tensor.shape) {
      const Json& at = tensors.at(tensor.name);
      const Formula formula = Formula::parse(extent, at.where());
      for (const std::string& name : formula.names()) add_dimension(name, at, dimensions);
    }
  }
}

void add_fill_dimensions(const Json& root, Spec& spec, Dimensions& dimensions) {
  const Json* value = root.find("fill");
  if (value == nullptr) return;
  spec.fills = parse_fills(*value, spec);
  for (const auto& [tensor, fill] : spec.fills) {
    if (fill.bound.empty()) continue;
    const Json& at = value->at(tensor);
    for (const std::string& name : Formula::parse(fill.bound, at.where()).names()) add_dimension(name, at, dimensions);
  }
}

bool given_by_any(const Json& rows, const std::string& name) {
  const auto& all = rows.as_array();
  return std::any_of(all.begin(), all.end(), [&](const Json& row) { return row.find(name) != nullptr; });
}

// A name that no shape uses and no workload gives is a misspelling here rather than a gap in every workload.
std::optional<std::string> load_formula(const Json& root, std::string_view key, Dimensions& dimensions) {
  const Json* value = root.find(key);
  if (value == nullptr) return std::nullopt;
  const Formula formula = Formula::parse(value->as_string(), fmt::format("{}: \"{}\"", value->where(), key));
  for (const std::string& name : formula.names()) {
    if (dimensions.contains(name) || (name == kDtypeBytes && key != "flops")) continue;
    if (!given_by_any(root.at("workloads"), name)) {
      const std::vector<std::string> known(dimensions.begin(), dimensions.end());
      const auto meant = text::nearest(name, known);
      throw value->error(fmt::format("\"{}\" uses the unknown name \"{}\"", key, name),
                         meant ? fmt::format("write \"{}\", or give \"{}\" in every workload", *meant, name)
                               : fmt::format("give \"{}\" in every workload", name));
    }
    add_dimension(name, *value, dimensions);
  }
  return formula.text();
}

void check_params_apart(const Json& root, const Dimensions& dimensions) {
  const Json* params = root.find("params");
  if (params == nullptr) return;
  for (const auto& [name, value] : params->as_object()) {
    if (!dimensions.contains(name)) continue;
    throw value.error(fmt::format("\"{}\" is both a parameter and a dimension", name), "rename one of the two");
  }
}

void check_count(const Json& rows, const Spec& spec) {
  const std::size_t workloads = rows.as_array().size();
  if (workloads == 0) throw rows.error("\"workloads\" is empty", "add at least one workload");
  if (workloads * spec.dtypes.size() <= kMostCases) return;
  throw rows.error(
      fmt::format("{} workloads in {} dtypes are more than {} cases", workloads, spec.dtypes.size(), kMostCases),
      "split the op or list fewer workloads");
}

// Formulas are evaluated for every case.
void check_work(const Json& rows, const Spec& spec) {
  constexpr std::size_t kMostCharacters = 200'000'000;
  std::size_t characters = 0;
  for (const auto* tensors : {&spec.inputs, &spec.outputs}) {
    for (const TensorSpec& tensor : *tensors) {
      for (const std::string& extent : tensor.shape) characters += extent.size();
    }
  }
  for (const auto& formula : {spec.flops, spec.bytes_read, spec.bytes_written}) {
    characters += formula ? formula->size() : 0;
  }
  if (characters * spec.workloads.size() * spec.dtypes.size() <= kMostCharacters) return;
  throw rows.error(fmt::format("formulas of {} characters in {} cases are too much work", characters,
                               spec.workloads.size() * spec.dtypes.size()),
                   "shorten the formulas or split the op");
}

void check_cases(const Spec& spec) {
  const Expansion expansion(spec);
  for (const WorkloadSpec& workload : spec.workloads) {
    for (const DType dtype : spec.dtypes) static_cast<void>(expansion.make(workload, dtype));
  }
}

}  // namespace

Spec parse_spec(const std::string& text, const std::filesystem::path& path_for_messages) {
  const Json root = text::parse_json(text, path_for_messages.string(), ErrorKind::spec);
  root.only({"$schema",   "op",         "doc",           "inputs",    "outputs",    "params",    "fill",
             "flops",     "bytes_read", "bytes_written", "dtypes",    "baselines",  "requires",  "copies",
             "tolerance", "why",        "labels",        "timeout_s", "iterations", "processes", "workloads"});
  if (const Json* schema = root.find("$schema")) static_cast<void>(schema->as_string());
  Spec spec;
  spec.path = path_for_messages;
  spec.op = load_op(root.at("op"), path_for_messages);
  spec.inputs = load_tensors(root.at("inputs"), "inputs");
  spec.outputs = load_tensors(root.at("outputs"), "outputs");
  if (spec.outputs.empty()) throw root.at("outputs").error("\"outputs\" is empty", "name what the op computes");
  spec.dtypes = load_dtypes(root.at("dtypes"));
  load_options(root, spec);

  const Json& rows = root.at("workloads");
  check_count(rows, spec);
  Dimensions dimensions;
  add_shape_dimensions(root.at("inputs"), spec.inputs, dimensions);
  add_shape_dimensions(root.at("outputs"), spec.outputs, dimensions);
  add_fill_dimensions(root, spec, dimensions);
  spec.flops = load_formula(root, "flops", dimensions);
  spec.bytes_read = load_formula(root, "bytes_read", dimensions);
  spec.bytes_written = load_formula(root, "bytes_written", dimensions);
  check_params_apart(root, dimensions);
  load_workloads(rows, dimensions, spec);
  check_work(rows, spec);
  check_cases(spec);
  return spec;
}

Spec load_spec(const std::filesystem::path& path) {
  return parse_spec(text::read_file(path, ErrorKind::spec), path);
}

}  // namespace opgate::spec
