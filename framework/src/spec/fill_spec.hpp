#pragma once

#include <map>
#include <string>
#include <string_view>

#include "spec/load_fields.hpp"
#include "spec/spec.hpp"
#include "text/json.hpp"

namespace opgate::spec {

// "below vocab" -> {below, "vocab"}; Error(spec) at `value`.
[[nodiscard]] FillSpec parse_fill(const text::Json& value, std::string_view tensor);
// The "fill" of an op or of a workload: {"ids": "below vocab"}; its tensors are inputs of the spec.
[[nodiscard]] Fills parse_fills(const text::Json& value, const Spec& spec);

}  // namespace opgate::spec
