#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "store/history.hpp"

namespace opgate::exchange {

// One run of a sample CSV, ready to be stored.
struct ImportedRun {
  std::int64_t number = 0;                 // as the file has it
  std::string uuid;                        // made from the content: the same run has the same one in every import
  std::vector<store::CaseResult> results;  // by case name
  std::int64_t samples = 0;
};

struct ImportedFile {
  std::vector<ImportedRun> runs;  // by number
  std::int64_t ignored = 0;       // readings of zero or less, which are no readings
};

// run,case,iteration,busy_ns,latency_ns,n_kernels,sm_mhz with a header line, columns in any order; the last two may be
// empty. Error(io) naming file:line for anything else; nothing is half read. Case names are taken as they are.
// Iterations with the same number of kernels form a group. The largest clock of the file stands for the GPU's maximum.
[[nodiscard]] ImportedFile parse_sample_csv(std::string_view text, const std::string& name_for_messages,
                                            std::int64_t imported_unix_ms);

// "<op>.<workload>.<dtype>" where the name has that form; else the op is what stands before the first dot, or
// "imported".
[[nodiscard]] core::CaseIdentity imported_identity(const std::string& case_name);

}  // namespace opgate::exchange
