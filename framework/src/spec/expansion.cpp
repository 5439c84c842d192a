#include "spec/expansion.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

#include "opgate/error.hpp"
#include "spec/names.hpp"

namespace opgate::spec {

namespace {

// 0 for types that hold no integers.
std::int64_t largest_integer(DType dtype) {
  switch (dtype) {
    case DType::i64:
      return std::numeric_limits<std::int64_t>::max();
    case DType::i32:
      return std::numeric_limits<std::int32_t>::max();
    case DType::i8:
      return std::numeric_limits<std::int8_t>::max();
    case DType::u8:
      return std::numeric_limits<std::uint8_t>::max();
    default:
      return 0;
  }
}

}  // namespace

// Everything about one case: the names it gives to formulas, and where its errors stand.
class Expansion::Evaluation {
 public:
  Evaluation(const Spec& spec, const WorkloadSpec& workload, DType dtype)
      : spec_(spec), workload_(workload), dtype_(dtype) {}

  [[nodiscard]] std::vector<Tensor> tensors(const std::vector<TensorFormulas>& formulas) const {
    std::vector<Tensor> result;
    result.reserve(formulas.size());
    for (const TensorFormulas& formula : formulas) {
      Tensor tensor;
      tensor.name = formula.spec->name;
      tensor.dtype = formula.spec->dtype.value_or(dtype_);
      for (const Formula& extent : formula.extents) {
        tensor.shape.push_back(at_least(1, evaluate(extent, tensor.name), tensor.name));
      }
      static_cast<void>(bytes(tensor));
      result.push_back(std::move(tensor));
    }
    return result;
  }

  [[nodiscard]] std::vector<core::Fill> fills(const std::vector<Tensor>& inputs) const {
    std::vector<core::Fill> result;
    result.reserve(inputs.size());
    for (const Tensor& input : inputs) {
      const auto found = workload_.fills.find(input.name);
      result.push_back(found == workload_.fills.end() ? core::Fill{} : fill(found->second, input));
    }
    return result;
  }

  [[nodiscard]] std::int64_t total_bytes(const std::vector<Tensor>& tensors, std::string_view what) const {
    std::int64_t total = 0;
    for (const Tensor& tensor : tensors) {
      if (__builtin_add_overflow(total, bytes(tensor), &total)) throw too_large(what);
    }
    return total;
  }

  [[nodiscard]] std::int64_t figure(const Formula& formula, std::string_view what, std::int64_t lowest) const {
    return at_least(lowest, evaluate(formula, what), what);
  }

 private:
  [[nodiscard]] core::Fill fill(const FillSpec& spec, const Tensor& input) const {
    const std::string what = fmt::format("fill of {}", input.name);
    const std::int64_t largest = largest_integer(input.dtype);
    if (spec.kind != core::FillKind::uniform && core::has_bound(spec.kind) != (largest > 0)) {
      throw Error(ErrorKind::spec, fmt::format("{} is not for {}", core::to_string(spec.kind), to_string(input.dtype)),
                  where(what), "fill integers with below or offsets, floats with normal or large");
    }
    core::Fill result{spec.kind, 0};
    if (!core::has_bound(spec.kind)) return result;
    result.bound = at_least(1, evaluate(Formula::parse(spec.bound, where(what)), what), what);
    const std::int64_t largest_value = spec.kind == core::FillKind::below ? result.bound - 1 : result.bound;
    if (largest_value > largest) {
      throw Error(ErrorKind::spec, fmt::format("comes to {}, beyond {}", result.bound, to_string(input.dtype)),
                  where(what), "use a wider type or smaller dimensions");
    }
    if (spec.kind == core::FillKind::offsets && input.elements() < 2) {
      throw Error(ErrorKind::spec, "offsets need at least 2 elements", where(what),
                  "give the input one element more than there are ranges");
    }
    return result;
  }

  [[nodiscard]] std::string where(std::string_view what) const {
    return fmt::format("{}:{}: \"{}\" of workload \"{}\"", spec_.path.string(), workload_.line, what, workload_.name);
  }

  [[nodiscard]] std::int64_t evaluate(const Formula& formula, std::string_view what) const {
    const NameLookup lookup = [&](std::string_view name) {
      if (name == kDtypeBytes) return static_cast<std::int64_t>(size_of(dtype_));
      const auto found = workload_.dimensions.find(name);
      if (found == workload_.dimensions.end()) {
        throw Error(ErrorKind::spec, fmt::format("unknown dimension \"{}\"", name), where(what),
                    fmt::format("give \"{}\" in the workload", name));
      }
      return found->second;
    };
    return formula.evaluate(lookup, where(what));
  }

  [[nodiscard]] std::int64_t at_least(std::int64_t lowest, std::int64_t value, std::string_view what) const {
    if (value >= lowest) return value;
    throw Error(ErrorKind::spec, fmt::format("comes to {}, below {}", value, lowest), where(what),
                "correct the formula or the dimensions");
  }

  [[nodiscard]] std::int64_t bytes(const Tensor& tensor) const {
    auto total = static_cast<std::int64_t>(size_of(tensor.dtype));
    for (const std::int64_t extent : tensor.shape) {
      if (__builtin_mul_overflow(total, extent, &total)) throw too_large(tensor.name);
    }
    return total;
  }

  [[nodiscard]] Error too_large(std::string_view what) const {
    return {ErrorKind::spec, "more than 2^63 bytes", where(what), "make the dimensions smaller"};
  }

  const Spec& spec_;
  const WorkloadSpec& workload_;
  DType dtype_;
};

Expansion::Expansion(const Spec& spec)
    : spec_(spec),
      inputs_(parse(spec.inputs)),
      outputs_(parse(spec.outputs)),
      flops_(parse(spec.flops)),
      bytes_read_(parse(spec.bytes_read)),
      bytes_written_(parse(spec.bytes_written)) {}

std::optional<Formula> Expansion::parse(const std::optional<std::string>& text) const {
  if (!text) return std::nullopt;
  return Formula::parse(*text, spec_.path.string());
}

std::vector<Expansion::TensorFormulas> Expansion::parse(const std::vector<TensorSpec>& tensors) const {
  std::vector<TensorFormulas> result;
  for (const TensorSpec& tensor : tensors) {
    TensorFormulas formulas{&tensor, {}};
    for (const std::string& extent : tensor.shape) {
      formulas.extents.push_back(Formula::parse(extent, spec_.path.string()));
    }
    result.push_back(std::move(formulas));
  }
  return result;
}

Case Expansion::make(const WorkloadSpec& workload, DType dtype) const {
  const Evaluation evaluation(spec_, workload, dtype);
  Case result;
  result.workload.op = spec_.op;
  result.workload.name = workload.name;
  result.workload.dtype = dtype;
  result.workload.dimensions = workload.dimensions;
  result.workload.params = workload.params;
  result.inputs = evaluation.tensors(inputs_);
  result.fills = evaluation.fills(result.inputs);
  result.outputs = evaluation.tensors(outputs_);
  if (flops_) result.flops = static_cast<double>(evaluation.figure(*flops_, "flops", 1));
  result.bytes_read = static_cast<double>(bytes_read_ ? evaluation.figure(*bytes_read_, "bytes_read", 0)
                                                      : evaluation.total_bytes(result.inputs, "inputs"));
  result.bytes_written = static_cast<double>(bytes_written_ ? evaluation.figure(*bytes_written_, "bytes_written", 0)
                                                            : evaluation.total_bytes(result.outputs, "outputs"));
  result.tolerance = workload.tolerance.value_or(spec_.tolerance);
  result.why = workload.why;
  result.labels = workload.labels;
  result.timeout_s = workload.timeout_s.value_or(spec_.timeout_s);
  result.iterations = workload.iterations ? workload.iterations : spec_.iterations;
  result.processes = workload.processes.value_or(spec_.processes);
  return result;
}

}  // namespace opgate::spec
