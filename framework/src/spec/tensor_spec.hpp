#pragma once

#include <string>
#include <string_view>

#include "spec/spec.hpp"

namespace opgate::spec {

// "dtype[rows, 2*cols]" -> element type and shape. Error(spec) at `where`.
[[nodiscard]] TensorSpec parse_tensor(const std::string& name, std::string_view text, const std::string& where);

}  // namespace opgate::spec
