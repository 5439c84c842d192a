#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "measure/device_ops.hpp"
#include "opgate/tensor.hpp"
#include "spec/spec.hpp"

namespace opgate::run {

// The device memory of one case: inputs, one set of outputs per implementation would hide a stale answer, so all share
// one, and the outputs of the reference in f64.
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

 private:
  [[nodiscard]] Tensors allocate(const std::vector<Tensor>& shapes, std::vector<measure::DeviceArray>& arrays) const;

  std::vector<measure::DeviceArray> arrays_;
  std::vector<measure::DeviceArray> expected_arrays_;
  Tensors inputs_;
  Tensors outputs_;
  Tensors expected_;
};

}  // namespace opgate::run
