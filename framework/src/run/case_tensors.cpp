#include "run/case_tensors.hpp"

#include <utility>

namespace opgate::run {

CaseTensors::CaseTensors(const spec::Case& spec_case)
    : inputs_(allocate(spec_case.inputs, arrays_)), outputs_(allocate(spec_case.outputs, arrays_)) {}

Tensors CaseTensors::allocate(const std::vector<Tensor>& shapes, std::vector<measure::DeviceArray>& arrays) const {
  std::vector<Tensor> tensors;
  for (Tensor tensor : shapes) {
    arrays.emplace_back(tensor.bytes());
    tensor.data = arrays.back().data();
    tensors.push_back(std::move(tensor));
  }
  return Tensors(std::move(tensors));
}

const Tensors& CaseTensors::expected() {
  if (expected_.size() == 0) {
    std::vector<Tensor> shapes;
    for (Tensor tensor : outputs_) {
      tensor.dtype = DType::f64;
      shapes.push_back(std::move(tensor));
    }
    expected_ = allocate(shapes, expected_arrays_);
  }
  return expected_;
}

void CaseTensors::free_expected() {
  expected_ = Tensors();
  expected_arrays_.clear();
}

void CaseTensors::fill_inputs(std::uint64_t seed, Stream stream) const {
  for (const Tensor& tensor : inputs_) {
    measure::fill_inputs(tensor, seed, stream);
  }
}

void CaseTensors::poison_outputs(Stream stream) const {
  for (const Tensor& tensor : outputs_) {
    measure::poison(tensor, stream);
  }
}

std::vector<std::uint64_t> CaseTensors::input_checksums(Stream stream) const {
  std::vector<std::uint64_t> sums;
  for (const Tensor& tensor : inputs_) {
    sums.push_back(measure::checksum(tensor, stream));
  }
  return sums;
}

}  // namespace opgate::run
