#pragma once

#include <string>
#include <string_view>

#include "exchange/imported_file.hpp"

namespace opgate::exchange {

// One file is one run; a benchmark ("run_name") is a case. Its reading is real_time, which is the manual time where the
// benchmark sets one. Repetitions are the passes of one reading, whose figure is their median: they ran in one process,
// so they are no runs. Where only aggregates were written, the aggregate "median" stands for them, else "mean".
// error_occurred is kept as failed, skipped as skipped. Error(io) at file:line for anything that does not fit.
[[nodiscard]] ImportedFile parse_google_benchmark(std::string_view text, const std::string& name_for_messages,
                                                  std::int64_t imported_unix_ms);

}  // namespace opgate::exchange
