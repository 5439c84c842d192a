#include <cstddef>
#include <cstdint>

#include "clear.hpp"
#include "spec/formula.hpp"

namespace {

// Sizes at which products, differences and divisions go wrong.
std::int64_t lookup(std::string_view name) {
  switch (name.front()) {
    case 'z':
      return 0;
    case 'm':
      return INT64_MAX;
    case 'n':
      return INT64_MIN;
    default:
      return static_cast<std::int64_t>(name.size());
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  namespace spec = opgate::spec;
  opgate::fuzz::accepts(opgate::ErrorKind::spec, [&] {
    const spec::Formula formula = spec::Formula::parse(opgate::fuzz::text_of(data, size), "a.json:3");
    const std::int64_t value = formula.evaluate(lookup, "a.json:3");
    opgate::fuzz::require(spec::evaluate(formula.text(), lookup, "again") == value, "the text means something else");
    opgate::fuzz::require(spec::evaluate("(" + formula.text().substr(0, 1000) + ")", lookup, "a.json:3") == value ||
                              formula.text().size() > 1000,
                          "parentheses around it change it");
  });
  return 0;
}
