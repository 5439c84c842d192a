#pragma once

#include <cstdint>
#include <span>

#include "opgate/error.hpp"

namespace opgate::core {

// The contract with scripts; README.md has the same table.
enum class ExitCode : std::uint8_t {
  pass = 0,
  regression = 1,
  untrusted = 2,
  cannot_run = 3,
  no_baseline = 4,
  wrong_result = 5,
  inconclusive = 6,
  usage = 64,
  skipped = 77,
};

[[nodiscard]] ExitCode exit_code_of(ErrorKind kind);
// Worst first: 3, 2, 5, 1, 6, 4, 0; skipped counts as 0, usage as 3. Empty: pass.
[[nodiscard]] ExitCode worst(std::span<const ExitCode> codes);
[[nodiscard]] const char* meaning(ExitCode code);
// Every code, in the order of the table.
[[nodiscard]] std::span<const ExitCode> exit_code_table();

}  // namespace opgate::core
