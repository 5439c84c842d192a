#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace opgate {

/// What elements are stored as.
enum class DType : std::uint8_t { f64, f32, f16, bf16, f8e4m3, i64, i32, i8, u8 };

/// Bytes of one element.
[[nodiscard]] std::size_t size_of(DType dtype) noexcept;
/// "bf16" and so on, as specs spell it.
[[nodiscard]] std::string_view to_string(DType dtype) noexcept;
/// Error(spec) for a name that is none of the above.
[[nodiscard]] DType parse_dtype(std::string_view name);

/// A dense row-major array in device memory. Owned by the framework; ops only look at it.
struct Tensor {
  std::string name;                 ///< as in the spec
  DType dtype = DType::f32;         ///< of its elements
  std::vector<std::int64_t> shape;  ///< extents, the slowest first
  void* data = nullptr;             ///< in device memory

  /// Product of the extents.
  [[nodiscard]] std::int64_t elements() const noexcept;
  /// Size of all elements.
  [[nodiscard]] std::size_t bytes() const noexcept { return static_cast<std::size_t>(elements()) * size_of(dtype); }
  /// Extent of one dimension; Error(spec) when there is no such dimension.
  [[nodiscard]] std::int64_t extent(std::size_t dimension) const;
  /// Typed pointer; T is not checked against dtype, which the op dispatches on.
  template <class T>
  [[nodiscard]] T* as() const noexcept {
    return static_cast<T*>(data);
  }
};

/// The tensors of one call in the order of the spec, by name. Error(spec) for an unknown name.
class Tensors {
 public:
  /// No tensor.
  Tensors() = default;
  /// In the order of the spec.
  explicit Tensors(std::vector<Tensor> tensors) : tensors_(std::move(tensors)) {}

  /// By name.
  [[nodiscard]] const Tensor& operator[](std::string_view name) const;
  /// By position; std::out_of_range beyond the last.
  [[nodiscard]] const Tensor& operator[](std::size_t index) const { return tensors_.at(index); }
  /// How many there are.
  [[nodiscard]] std::size_t size() const noexcept { return tensors_.size(); }
  /// As a range.
  [[nodiscard]] auto begin() const noexcept { return tensors_.begin(); }
  /// As a range.
  [[nodiscard]] auto end() const noexcept { return tensors_.end(); }

 private:
  std::vector<Tensor> tensors_;
};

}  // namespace opgate
