#include <cstddef>
#include <cstdint>
#include <string>

#include "clear.hpp"
#include "spec/spec.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  namespace spec = opgate::spec;
  const std::string text(opgate::fuzz::text_of(data, size));
  spec::Spec loaded;
  if (!opgate::fuzz::accepts(opgate::ErrorKind::spec, [&] { loaded = spec::parse_spec(text, "specs/op.json"); })) {
    return 0;
  }
  // A spec that loads has nothing left to refuse.
  const auto cases = spec::expand(loaded);
  opgate::fuzz::require(cases.size() == loaded.workloads.size() * loaded.dtypes.size(), "cases are missing");
  for (const spec::Case& one : cases) {
    opgate::fuzz::require(one.workload.op == "op", "a case of another op");
    opgate::fuzz::require(one.bytes_read >= 0 && one.bytes_written >= 0, "negative bytes");
    opgate::fuzz::require(one.tolerance > 0 && one.tolerance < 1, "no tolerance");
  }
  return 0;
}
