#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/fill.hpp"
#include "measure/device_ops.hpp"
#include "measure/tensor_bytes.hpp"
#include "opgate/tensor.hpp"
#include "spec/spec.hpp"

namespace opgate::run {

// The device memory of one case: inputs, one set of outputs per implementation would hide a stale answer, so all share
// one, and the outputs of the reference in f64. Outputs lie between guards; inputs do not, so that compute-sanitizer
// sees every read beyond them.
class CaseTensors {
 public:
  explicit CaseTensors(const spec::Case& spec_case);

  [[nodiscard]] const Tensors& inputs() const noexcept { return inputs_; }
  [[nodiscard]] const Tensors& outputs() const noexcept { return outputs_; }

  // Allocated at the first use: runs without a check need none.
  [[nodiscard]] const Tensors& expected();
  void free_expected();

  void fill_inputs(std::uint64_t seed, Stream stream) const;
  void poison_outputs(Stream stream) const;
  [[nodiscard]] std::vector<std::uint64_t> input_checksums(Stream stream) const;
  // What was written outside an output since the tensors exist, and how to go on; nothing when all guards are whole.
  [[nodiscard]] std::optional<std::string> guard_damage(Stream stream) const;

 private:
  [[nodiscard]] static Tensors allocate(const std::vector<Tensor>& shapes, std::vector<measure::DeviceArray>& arrays);
  [[nodiscard]] Tensors allocate_guarded(const std::vector<Tensor>& shapes);

  std::vector<measure::DeviceArray> arrays_;
  std::vector<measure::DeviceArray> expected_arrays_;
  std::vector<measure::Guarded> guarded_;  // one per output
  std::vector<core::Fill> fills_;          // one per input
  Tensors inputs_;
  Tensors outputs_;
  Tensors expected_;
};

}  // namespace opgate::run
