#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "opgate/tensor.hpp"

namespace opgate::spec {

inline constexpr std::size_t kLongestName = 64;
// Element size of the case's dtype, usable in bytes_read and bytes_written.
inline constexpr std::string_view kDtypeBytes = "dtype_bytes";
// `ctest -L` takes a regular expression: a label or op that contains one of these would be selected with it.
inline constexpr std::array<std::string_view, 5> kReservedLabels = {"nightly", "gate", "smoke", "unit", "gpu"};

[[nodiscard]] std::optional<DType> find_dtype(std::string_view name);
[[nodiscard]] std::string known_dtypes();                     // "f64, f32, ..."
[[nodiscard]] std::string op_of(std::string_view case_name);  // "gemm" of "gemm.square-4096.bf16"

// What is wrong with a name, or nothing. Each rule is also in specs/op.schema.json.
struct NameFault {
  std::string what;
  std::string remedy;
};
using NameCheck = std::optional<NameFault>;

[[nodiscard]] NameCheck check_op_name(std::string_view name);
[[nodiscard]] NameCheck check_workload_name(std::string_view name);
[[nodiscard]] NameCheck check_label(std::string_view label);
// Dimensions, parameters and tensors: what a formula or an op can spell.
[[nodiscard]] NameCheck check_identifier(std::string_view name, std::string_view kind);
[[nodiscard]] NameCheck check_library_name(std::string_view name);

}  // namespace opgate::spec
