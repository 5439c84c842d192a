#include <cstddef>
#include <cstdint>
#include <string>

#include "exchange/google_benchmark.hpp"
#include "exchange/nvbench.hpp"
#include "imported.hpp"
#include "run/attempt_json.hpp"
#include "text/json.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  namespace exchange = opgate::exchange;
  using opgate::ErrorKind;
  const std::string text(opgate::fuzz::text_of(data, size));
  opgate::fuzz::accepts(ErrorKind::op, [&] {
    const opgate::core::Attempt attempt = opgate::run::parse_attempt(text);
    const std::string line = opgate::run::format_attempt(attempt);
    opgate::fuzz::require(opgate::run::format_attempt(opgate::run::parse_attempt(line)) == line,
                          "written and read again it differs", line);
  });
  // What is no JSON is none of the others either.
  constexpr std::size_t kMost = 100'000;
  if (!opgate::fuzz::accepts(
          ErrorKind::io, [&] { static_cast<void>(opgate::text::parse_json(text, "a.json", ErrorKind::io, kMost)); })) {
    return 0;
  }
  opgate::fuzz::accepts(ErrorKind::io,
                        [&] { opgate::fuzz::check(exchange::parse_google_benchmark(text, "a.json", 0)); });
  opgate::fuzz::accepts(ErrorKind::io, [&] { opgate::fuzz::check(exchange::parse_nvbench(text, "a.json", 0)); });
  return 0;
}
