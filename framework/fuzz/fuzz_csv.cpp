#include <cstddef>
#include <cstdint>
#include <string>

#include "exchange/csv.hpp"
#include "exchange/format.hpp"
#include "exchange/gunzip.hpp"
#include "imported.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  namespace exchange = opgate::exchange;
  constexpr std::size_t kMost = std::size_t{8} << 20U;
  std::string text(opgate::fuzz::text_of(data, size));
  static_cast<void>(exchange::recognise(text));
  opgate::fuzz::accepts(opgate::ErrorKind::io, [&] {
    if (exchange::is_gzip(text)) text = exchange::gunzip(text, "a.csv.gz", kMost);
    opgate::fuzz::require(text.size() <= kMost, "unpacked beyond its bound");
    opgate::fuzz::check(exchange::parse_sample_csv(text, "a.csv", 0));
  });
  return 0;
}
