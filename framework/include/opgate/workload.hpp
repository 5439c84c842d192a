#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "opgate/tensor.hpp"

namespace opgate {

// One case as the op sees it: a workload of the spec in one dtype.
struct Workload {
  std::string op;
  std::string name;
  DType dtype = DType::f32;
  std::map<std::string, std::int64_t, std::less<>> dimensions;
  std::map<std::string, double, std::less<>> params;

  // "<op>.<workload>.<dtype>": the CTest name, the history key, the baseline key.
  [[nodiscard]] std::string case_name() const;
  // Error(spec) naming the case when the spec gives no such dimension or parameter.
  [[nodiscard]] std::int64_t dim(std::string_view dimension) const;
  [[nodiscard]] double param(std::string_view parameter) const;
};

}  // namespace opgate
