#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace opgate::spec {

using NameLookup = std::function<std::int64_t(std::string_view name)>;  // throws for an unknown name

// Integer arithmetic over dimensions: + - * / (exact division only), parentheses, names, decimal integers.
class Formula {
 public:
  // Error(spec) at `where` on a syntax fault, a literal beyond 64 bits, or parentheses nested too deep.
  [[nodiscard]] static Formula parse(std::string_view text, const std::string& where);

  // Error(spec) at `where` on an inexact division or overflow of 64 bits; what `lookup` throws passes through.
  [[nodiscard]] std::int64_t evaluate(const NameLookup& lookup, const std::string& where) const;
  // Names used, each once, in the order of their first use.
  [[nodiscard]] const std::vector<std::string>& names() const& noexcept { return names_; }
  [[nodiscard]] std::vector<std::string> names() && noexcept { return std::move(names_); }
  [[nodiscard]] const std::string& text() const noexcept { return text_; }

 private:
  friend class FormulaParser;
  enum class Operation : std::uint8_t { literal, name, add, subtract, multiply, divide };
  struct Step {
    Operation operation = Operation::literal;
    std::int64_t literal = 0;
    std::size_t name = 0;  // index into names_
  };

  std::string text_;
  std::vector<std::string> names_;
  std::vector<Step> steps_;  // postfix
};

// Formula::parse and evaluate in one.
[[nodiscard]] std::int64_t evaluate(std::string_view formula, const NameLookup& lookup, const std::string& where);

}  // namespace opgate::spec
