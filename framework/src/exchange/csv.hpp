#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "exchange/imported_file.hpp"

namespace opgate::exchange {

// run,case,iteration,busy_ns,latency_ns,n_kernels,sm_mhz with a header line, columns in any order; the last two may be
// empty. Error(io) naming file:line for anything else; nothing is half read. Case names are taken as they are.
// Iterations with the same number of kernels form a group. How they were taken is unknown: the file does not say. The
// largest clock of the file stands for the GPU's maximum.
[[nodiscard]] ImportedFile parse_sample_csv(std::string_view text, const std::string& name_for_messages,
                                            std::int64_t imported_unix_ms);

}  // namespace opgate::exchange
