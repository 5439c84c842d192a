#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace opgate::exchange {

// One line of a sample CSV. `case_index` indexes SampleRows::case_names.
struct SampleRow {
  std::int64_t run = 0;
  std::size_t case_index = 0;
  std::int64_t iteration = 0;
  std::int64_t busy_ns = 0;
  std::int64_t latency_ns = 0;
  std::optional<std::int32_t> n_kernels;
  std::optional<std::int32_t> sm_mhz;
  int line = 0;
};

struct SampleRows {
  std::vector<SampleRow> rows;  // in the order of the file
  std::vector<std::string> case_names;
};

// Error(io) naming file:line.
[[nodiscard]] SampleRows read_sample_rows(std::string_view text, const std::string& name_for_messages);

}  // namespace opgate::exchange
