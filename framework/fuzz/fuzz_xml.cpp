#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "exchange/junit.hpp"
#include "imported.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  namespace exchange = opgate::exchange;
  const std::string_view text = opgate::fuzz::text_of(data, size);
  opgate::fuzz::accepts(opgate::ErrorKind::io,
                        [&] { opgate::fuzz::check(exchange::parse_junit(text, "a.xml", 0, std::nullopt)); });
  opgate::fuzz::accepts(opgate::ErrorKind::io,
                        [&] { opgate::fuzz::check(exchange::parse_junit(text, "a.xml", 0, std::string("ours"))); });
  return 0;
}
