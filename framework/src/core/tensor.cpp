#include "opgate/tensor.hpp"

#include <fmt/format.h>

#include <array>

#include "opgate/error.hpp"

namespace opgate {
namespace {

struct DTypeEntry {
  DType dtype;
  std::string_view name;
  std::size_t bytes;
};

constexpr std::array<DTypeEntry, 9> kDTypes{{{DType::f64, "f64", 8},
                                             {DType::f32, "f32", 4},
                                             {DType::f16, "f16", 2},
                                             {DType::bf16, "bf16", 2},
                                             {DType::f8e4m3, "f8e4m3", 1},
                                             {DType::i64, "i64", 8},
                                             {DType::i32, "i32", 4},
                                             {DType::i8, "i8", 1},
                                             {DType::u8, "u8", 1}}};

const DTypeEntry& entry_of(DType dtype) noexcept {
  for (const DTypeEntry& entry : kDTypes) {
    if (entry.dtype == dtype) {
      return entry;
    }
  }
  return kDTypes.front();
}

}  // namespace

std::size_t size_of(DType dtype) noexcept {
  return entry_of(dtype).bytes;
}

std::string_view to_string(DType dtype) noexcept {
  return entry_of(dtype).name;
}

DType parse_dtype(std::string_view name) {
  std::string known;
  for (const DTypeEntry& entry : kDTypes) {
    if (entry.name == name) {
      return entry.dtype;
    }
    known += known.empty() ? std::string(entry.name) : fmt::format(", {}", entry.name);
  }
  throw Error(ErrorKind::spec, fmt::format("unknown dtype \"{}\"", name), {}, fmt::format("use one of {}", known));
}

std::int64_t Tensor::elements() const noexcept {
  std::int64_t count = 1;
  for (const std::int64_t extent_of_dimension : shape) {
    count *= extent_of_dimension;
  }
  return count;
}

std::int64_t Tensor::extent(std::size_t dimension) const {
  if (dimension >= shape.size()) {
    throw Error(
        ErrorKind::spec,
        fmt::format("tensor \"{}\" has {} dimensions, dimension {} was asked for", name, shape.size(), dimension), {},
        "give the tensor that dimension in the spec, or ask for an existing one in the op");
  }
  return shape[dimension];
}

const Tensor& Tensors::operator[](std::string_view name) const {
  std::string known;
  for (const Tensor& tensor : tensors_) {
    if (tensor.name == name) {
      return tensor;
    }
    known += known.empty() ? tensor.name : ", " + tensor.name;
  }
  throw Error(ErrorKind::spec,
              fmt::format("the spec has no tensor \"{}\" here; it has {}", name, known.empty() ? "none" : known), {},
              "use the names of the spec in the op, or add the tensor to the spec");
}

}  // namespace opgate
