#pragma once

#include <optional>
#include <vector>

#include "spec/formula.hpp"
#include "spec/spec.hpp"

namespace opgate::spec {

// A spec with its formulas parsed once, for any number of cases. Keeps a reference to the spec.
class Expansion {
 public:
  explicit Expansion(const Spec& spec);
  // Error(spec) at the workload's line when a formula overflows, divides inexactly or gives an impossible size.
  [[nodiscard]] Case make(const WorkloadSpec& workload, DType dtype) const;

 private:
  struct TensorFormulas {
    const TensorSpec* spec = nullptr;
    std::vector<Formula> extents;
  };
  class Evaluation;

  [[nodiscard]] std::optional<Formula> parse(const std::optional<std::string>& text) const;
  [[nodiscard]] std::vector<TensorFormulas> parse(const std::vector<TensorSpec>& tensors) const;

  const Spec& spec_;
  std::vector<TensorFormulas> inputs_;
  std::vector<TensorFormulas> outputs_;
  std::optional<Formula> flops_;
  std::optional<Formula> bytes_read_;
  std::optional<Formula> bytes_written_;
};

}  // namespace opgate::spec
