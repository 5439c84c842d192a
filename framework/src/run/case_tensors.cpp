#include "run/case_tensors.hpp"

#include <fmt/format.h>

#include <utility>

namespace opgate::run {

CaseTensors::CaseTensors(const spec::Case& spec_case)
    : fills_(spec_case.fills),
      inputs_(allocate(spec_case.inputs, arrays_)),
      outputs_(allocate_guarded(spec_case.outputs)) {}

Tensors CaseTensors::allocate(const std::vector<Tensor>& shapes, std::vector<measure::DeviceArray>& arrays) {
  std::vector<Tensor> tensors;
  for (Tensor tensor : shapes) {
    arrays.emplace_back(tensor.bytes());
    tensor.data = arrays.back().data();
    tensors.push_back(std::move(tensor));
  }
  return Tensors(std::move(tensors));
}

Tensors CaseTensors::allocate_guarded(const std::vector<Tensor>& shapes) {
  std::vector<Tensor> tensors;
  for (Tensor tensor : shapes) {
    arrays_.emplace_back(tensor.bytes() + 2 * measure::kGuardBytes);
    guarded_.push_back({static_cast<unsigned char*>(arrays_.back().data()), tensor.bytes()});
    measure::write_guards(guarded_.back(), nullptr);
    tensor.data = guarded_.back().begin + measure::kGuardBytes;
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
  for (std::size_t i = 0; i < inputs_.size(); ++i) {
    measure::fill_input(inputs_[i], fills_.at(i), seed, stream);
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

std::optional<std::string> CaseTensors::guard_damage(Stream stream) const {
  for (std::size_t i = 0; i < guarded_.size(); ++i) {
    const auto damage = measure::find_damage(guarded_[i], stream);
    if (!damage) continue;
    const auto end = static_cast<std::int64_t>(guarded_[i].bytes);
    const bool before = damage->first_offset < 0;
    return fmt::format(
        "wrote {} bytes outside output \"{}\" of {} bytes, the first {} bytes {} (offset {})\n"
        "  fix: bound the stores of the call by the shape of \"{}\"",
        damage->bytes, outputs_[i].name, end, before ? -damage->first_offset : damage->first_offset - end,
        before ? "before its begin" : "past its end", damage->first_offset, outputs_[i].name);
  }
  return std::nullopt;
}

}  // namespace opgate::run
