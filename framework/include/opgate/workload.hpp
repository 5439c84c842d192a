#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "opgate/tensor.hpp"

namespace opgate {

/// One case as the op sees it: a workload of the spec in one dtype.
struct Workload {
  std::string op;            ///< the op's name
  std::string name;          ///< the workload's name, without op and dtype
  DType dtype = DType::f32;  ///< what "dtype" of the spec is in this case
  /// Extent of every dimension that the spec uses.
  std::map<std::string, std::int64_t, std::less<>> dimensions;
  /// "params" of the spec and of the workload.
  std::map<std::string, double, std::less<>> params;

  /// "<op>.<workload>.<dtype>": the CTest name, the history key, the baseline key.
  [[nodiscard]] std::string case_name() const;
  /// Error(spec) naming the case when the spec gives no such dimension or parameter.
  [[nodiscard]] std::int64_t dim(std::string_view dimension) const;
  /// The value of a parameter; Error(spec) as above.
  [[nodiscard]] double param(std::string_view parameter) const;
};

}  // namespace opgate
