#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/fill.hpp"
#include "opgate/tensor.hpp"
#include "opgate/workload.hpp"

namespace opgate::spec {

inline constexpr double kDefaultTolerance = 0.01;
inline constexpr std::size_t kMostCases = 1'000'000;

// "dtype[rows, cols]" or "f32[cols]": element type (absent: the case's dtype) and dimension expressions.
struct TensorSpec {
  std::string name;
  std::optional<DType> dtype;
  std::vector<std::string> shape;  // dimension names or integer formulas over them
};

// "below vocab": what an input is filled with, its bound not yet evaluated.
struct FillSpec {
  core::FillKind kind = core::FillKind::uniform;
  std::string bound;  // formula
};
using Fills = std::map<std::string, FillSpec, std::less<>>;  // by input; others are uniform

struct WorkloadSpec {
  std::string name;
  std::map<std::string, std::int64_t, std::less<>> dimensions;
  std::map<std::string, double, std::less<>> params;  // the op's params, overridden where the workload says so
  Fills fills;                                        // the op's fills, replaced where the workload says so
  std::vector<std::string> labels;                    // the op's labels plus its own
  std::optional<double> tolerance;                    // fraction
  std::string why;                                    // of the tolerance; the op's where the workload gives none
  std::optional<int> timeout_s;
  std::optional<int> iterations;
  std::optional<int> processes;
  int line = 0;
};

struct Spec {
  std::filesystem::path path;
  std::string op;
  std::string doc;
  std::vector<TensorSpec> inputs;
  std::vector<TensorSpec> outputs;
  std::map<std::string, double, std::less<>> params;
  Fills fills;
  std::optional<std::string> flops, bytes_read, bytes_written;  // formulas
  std::vector<DType> dtypes;
  std::vector<std::string> baselines;  // library implementations
  std::optional<int> compute_capability;
  std::optional<double> memory_gib;
  bool count_copies = false;  // "copies": "count"
  double tolerance = kDefaultTolerance;
  std::string why;
  std::vector<std::string> labels;
  int timeout_s = 60;
  std::optional<int> iterations;  // of workloads that give none; absent: calibrated
  int processes = 1;              // fresh ones whose samples together are one reading
  std::vector<WorkloadSpec> workloads;
};

// One workload in one dtype with everything evaluated.
struct Case {
  Workload workload;                    // what the op sees
  std::vector<Tensor> inputs, outputs;  // shapes evaluated, data = nullptr
  std::vector<core::Fill> fills;        // one per input
  std::optional<double> flops;          // exact integers below 2^63, kept as double for rates
  double bytes_read = 0;
  double bytes_written = 0;
  double tolerance = kDefaultTolerance;
  std::string why;
  std::vector<std::string> labels;
  int timeout_s = 60;
  std::optional<int> iterations;
  int processes = 1;
};

// Strict: Error(spec) naming file:line and the fix. The schema in specs/ accepts and refuses the same files. Every
// formula has been evaluated for every case, so expand() of a loaded spec does not fail.
[[nodiscard]] Spec load_spec(const std::filesystem::path& path);
[[nodiscard]] Spec parse_spec(const std::string& text, const std::filesystem::path& path_for_messages);
[[nodiscard]] std::vector<Case> expand(const Spec& spec);
// Error(spec) listing near names when there is none of that name.
[[nodiscard]] Case find_case(const Spec& spec, const std::string& wanted);

}  // namespace opgate::spec
