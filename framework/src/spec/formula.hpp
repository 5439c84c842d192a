#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace opgate::spec {

// Integer arithmetic over dimensions: + - * / (exact division only), parentheses, names, decimal integers.
// Error(spec) at `where` on syntax, an unknown name, an inexact division, or overflow of 64 bits.
using NameLookup = std::function<std::int64_t(std::string_view name)>;  // throws for an unknown name
[[nodiscard]] std::int64_t evaluate(std::string_view formula, const NameLookup& lookup, const std::string& where);

}  // namespace opgate::spec
