#include "spec/tensor_spec.hpp"

#include <fmt/format.h>

#include "opgate/error.hpp"
#include "spec/formula.hpp"
#include "spec/names.hpp"
#include "text/clear_error.hpp"

namespace opgate::spec {
namespace {

constexpr std::size_t kMostDimensions = 8;

std::string_view trim(std::string_view text) {
  constexpr std::string_view kSpace = " \t";
  const std::size_t begin = text.find_first_not_of(kSpace);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kSpace) - begin + 1);
}

}  // namespace

TensorSpec parse_tensor(const std::string& name, std::string_view text, const std::string& where) {
  const auto fault = [&](const std::string& what, const std::string& remedy) {
    return text::clear_error(ErrorKind::spec, fmt::format("tensor \"{}\": {}", name, what), where, remedy);
  };
  constexpr const char* kForm = "write an element type and a shape, like \"dtype[rows, cols]\" or \"f32[cols]\"";
  const std::string_view whole = trim(text);
  const std::size_t open = whole.find('[');
  if (open == std::string_view::npos || whole.back() != ']') {
    throw fault(fmt::format("\"{}\" is not an element type with a shape", text), kForm);
  }
  TensorSpec tensor;
  tensor.name = name;
  const std::string_view element = trim(whole.substr(0, open));
  if (element != "dtype") {
    tensor.dtype = find_dtype(element);
    if (!tensor.dtype) {
      throw fault(fmt::format("unknown element type \"{}\"", element),
                  fmt::format("use dtype, or one of {}", known_dtypes()));
    }
  }
  std::string_view rest = whole.substr(open + 1, whole.size() - open - 2);
  while (true) {
    // Formulas have no commas, so every comma separates.
    const std::size_t comma = rest.find(',');
    const std::string_view extent = trim(rest.substr(0, comma));
    if (extent.empty()) throw fault("a dimension is empty", "write every dimension, \"f32[1]\" for a scalar");
    static_cast<void>(Formula::parse(extent, fmt::format("{}: tensor \"{}\"", where, name)));
    if (tensor.shape.size() == kMostDimensions) {
      throw fault(fmt::format("more than {} dimensions", kMostDimensions), "merge dimensions");
    }
    tensor.shape.emplace_back(extent);
    if (comma == std::string_view::npos) break;
    rest.remove_prefix(comma + 1);
  }
  return tensor;
}

}  // namespace opgate::spec
