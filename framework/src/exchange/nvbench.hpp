#pragma once

#include <string>
#include <string_view>

#include "exchange/imported_file.hpp"

namespace opgate::exchange {

// One file is one run for each device that it measured on. A state is a case, "<benchmark>/<axis>=<value>/..."; integer
// axes are its dimensions, real ones its params. Isolated ("cold") measurements bear that name; the batch measurement,
// which leaves caches warm and calls queued, is a case of its own with "/batch" behind it, and one without a GPU has
// "/cpu". Skipped states are kept as skipped. Error(io) at file:line for anything that does not fit.
[[nodiscard]] ImportedFile parse_nvbench(std::string_view text, const std::string& name_for_messages,
                                         std::int64_t imported_unix_ms);

}  // namespace opgate::exchange
