#include "spec/fill_spec.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

#include "spec/formula.hpp"
#include "text/suggest.hpp"

namespace opgate::spec {
namespace {

using core::FillKind;

constexpr std::array<FillKind, 5> kKinds = {FillKind::uniform, FillKind::normal, FillKind::large, FillKind::below,
                                            FillKind::offsets};

std::optional<FillKind> find_kind(std::string_view name) {
  for (const FillKind kind : kKinds) {
    if (name == core::to_string(kind)) return kind;
  }
  return std::nullopt;
}

}  // namespace

FillSpec parse_fill(const text::Json& value, std::string_view tensor) {
  const std::string& text = value.as_string();
  const std::size_t space = text.find(' ');
  const std::optional<FillKind> kind = find_kind(std::string_view(text).substr(0, space));
  if (!kind) {
    throw value.error(fmt::format("input \"{}\" is filled with \"{}\"", tensor, text),
                      "write uniform, normal, large, below N or offsets N");
  }
  if (core::has_bound(*kind) != (space != std::string::npos)) {
    throw value.error(fmt::format("input \"{}\" is filled with \"{}\"", tensor, text),
                      core::has_bound(*kind) ? fmt::format("write \"{} N\" with a formula over the dimensions as N",
                                                           core::to_string(*kind))
                                             : fmt::format("write \"{}\" alone", core::to_string(*kind)));
  }
  FillSpec fill;
  fill.kind = *kind;
  if (core::has_bound(*kind)) {
    fill.bound =
        Formula::parse(text.substr(space + 1), fmt::format("{}: fill of \"{}\"", value.where(), tensor)).text();
  }
  return fill;
}

Fills parse_fills(const text::Json& value, const Spec& spec) {
  std::vector<std::string> inputs;
  for (const TensorSpec& tensor : spec.inputs) inputs.push_back(tensor.name);
  Fills fills;
  for (const auto& [name, text] : value.as_object()) {
    if (std::find(inputs.begin(), inputs.end(), name) == inputs.end()) {
      const auto meant = text::nearest(name, inputs);
      throw text.error(fmt::format("\"fill\" names \"{}\", which is no input of op \"{}\"", name, spec.op),
                       meant ? fmt::format("write \"{}\"", *meant) : "name an input of the op");
    }
    fills.emplace(name, parse_fill(text, name));
  }
  return fills;
}

}  // namespace opgate::spec
