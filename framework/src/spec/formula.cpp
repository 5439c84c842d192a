#include "spec/formula.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <system_error>

#include "opgate/error.hpp"
#include "text/clear_error.hpp"

namespace opgate::spec {
namespace {

constexpr int kDeepest = 64;
constexpr std::size_t kLongest = 1024;

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
bool starts_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
bool is_space(char c) {
  return c == ' ' || c == '\t';
}

}  // namespace

// Recursive descent: sum = product {(+|-) product}, product = atom {(*|/) atom}, atom = integer | name | (sum).
class FormulaParser {
 public:
  FormulaParser(std::string_view text, const std::string& where) : text_(text), where_(where) {}

  Formula parse() {
    if (text_.size() > kLongest) {
      throw Error(ErrorKind::spec, fmt::format("formula of {} characters, longer than {}", text_.size(), kLongest),
                  where_, "shorten the formula");
    }
    formula_.text_ = text_;
    sum();
    if (!at_end()) throw fault(fmt::format("expected an operator, found {}", found()));
    return std::move(formula_);
  }

 private:
  void sum() {
    product();
    while (true) {
      if (accept('+')) {
        product();
        emit(Formula::Operation::add);
      } else if (accept('-')) {
        product();
        emit(Formula::Operation::subtract);
      } else {
        return;
      }
    }
  }

  void product() {
    atom();
    while (true) {
      if (accept('*')) {
        atom();
        emit(Formula::Operation::multiply);
      } else if (accept('/')) {
        atom();
        emit(Formula::Operation::divide);
      } else {
        return;
      }
    }
  }

  void atom() {
    if (accept('(')) {
      if (++depth_ > kDeepest) throw fault(fmt::format("parentheses nested more than {} deep", kDeepest));
      sum();
      if (!accept(')')) throw fault(fmt::format("expected \")\", found {}", found()));
      --depth_;
    } else if (!at_end() && is_digit(text_[at_])) {
      literal();
    } else if (!at_end() && starts_name(text_[at_])) {
      name();
    } else {
      throw fault(fmt::format("expected a name, an integer or \"(\", found {}", found()));
    }
  }

  void literal() {
    const char* const begin = text_.data() + at_;
    const char* const end = text_.data() + text_.size();
    Formula::Step step;
    const auto [stop, error] = std::from_chars(begin, end, step.literal);
    if (error != std::errc()) throw fault("an integer beyond 64 bits");
    at_ += static_cast<std::size_t>(stop - begin);
    if (at_ < text_.size() && (starts_name(text_[at_]) || text_[at_] == '.')) {
      throw fault(fmt::format("expected an operator, found {}", found()));
    }
    formula_.steps_.push_back(step);
  }

  void name() {
    const std::size_t begin = at_;
    while (at_ < text_.size() && (starts_name(text_[at_]) || is_digit(text_[at_]))) ++at_;
    const std::string_view word = text_.substr(begin, at_ - begin);
    auto& names = formula_.names_;
    const auto known = std::find(names.begin(), names.end(), word);
    Formula::Step step;
    step.operation = Formula::Operation::name;
    step.name = static_cast<std::size_t>(known - names.begin());
    if (known == names.end()) names.emplace_back(word);
    formula_.steps_.push_back(step);
  }

  void emit(Formula::Operation operation) { formula_.steps_.push_back({operation, 0, 0}); }

  bool at_end() {
    while (at_ < text_.size() && is_space(text_[at_])) ++at_;
    return at_ == text_.size();
  }

  bool accept(char wanted) {
    if (at_end() || text_[at_] != wanted) return false;
    ++at_;
    return true;
  }

  std::string found() {
    if (at_end()) return "the end";
    const char c = text_[at_];
    return c > ' ' && c < 0x7F ? fmt::format("\"{}\"", c) : std::string("a character that formulas do not use");
  }

  [[nodiscard]] Error fault(const std::string& what) const {
    return text::clear_error(ErrorKind::spec, fmt::format("formula \"{}\": {}, at character {}", text_, what, at_ + 1),
                             where_, "use only names, integers, + - * / and parentheses");
  }

  std::string_view text_;
  const std::string& where_;
  std::size_t at_ = 0;
  int depth_ = 0;
  Formula formula_;
};

Formula Formula::parse(std::string_view text, const std::string& where) {
  return FormulaParser(text, where).parse();
}

std::int64_t Formula::evaluate(const NameLookup& lookup, const std::string& where) const {
  std::vector<std::int64_t> stack;
  for (const Step& step : steps_) {
    if (step.operation == Operation::literal || step.operation == Operation::name) {
      stack.push_back(step.operation == Operation::literal ? step.literal : lookup(names_[step.name]));
      continue;
    }
    const std::int64_t right = stack.back();
    stack.pop_back();
    const std::int64_t left = stack.back();
    std::int64_t& result = stack.back();
    bool overflow = false;
    switch (step.operation) {
      case Operation::add:
        overflow = __builtin_add_overflow(left, right, &result);
        break;
      case Operation::subtract:
        overflow = __builtin_sub_overflow(left, right, &result);
        break;
      case Operation::multiply:
        overflow = __builtin_mul_overflow(left, right, &result);
        break;
      default:
        if (right == 0) {
          throw Error(ErrorKind::spec, fmt::format("formula \"{}\" divides by zero", text_), where,
                      "change the formula or the dimensions");
        }
        overflow = left == INT64_MIN && right == -1;
        if (!overflow && left % right != 0) {
          throw Error(ErrorKind::spec, fmt::format("formula \"{}\": {} is not divisible by {}", text_, left, right),
                      where, "change the formula or the dimensions so that the division is exact");
        }
        if (!overflow) result = left / right;
    }
    if (overflow) {
      throw Error(ErrorKind::spec, fmt::format("formula \"{}\" overflows 64 bits", text_), where,
                  "make the dimensions smaller or correct the formula");
    }
  }
  return stack.back();
}

std::int64_t evaluate(std::string_view formula, const NameLookup& lookup, const std::string& where) {
  return Formula::parse(formula, where).evaluate(lookup, where);
}

}  // namespace opgate::spec
