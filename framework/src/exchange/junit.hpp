#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "exchange/imported_file.hpp"

namespace opgate::exchange {

// One file is one run, however many suites it has; a test case is a case, "<classname>.<name>". Its figures are
// properties "<implementation>_<figure>", or "<figure>" alone: README.md here has them all. `ours` names the
// implementation that is the op itself; by default the one that most cases have and none calls its baseline.
// Failed and skipped test cases are kept as such. Error(io) at file:line:column for anything that does not fit.
[[nodiscard]] ImportedFile parse_junit(std::string_view text, const std::string& name_for_messages,
                                       std::int64_t imported_unix_ms, const std::optional<std::string>& ours);

}  // namespace opgate::exchange
