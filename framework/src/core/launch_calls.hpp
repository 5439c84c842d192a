#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "core/records.hpp"

namespace opgate::core {

// The launching calls of a few records, found in one pass, because their records may lie anywhere.
class LaunchCalls {
 public:
  LaunchCalls(const PhaseRecords& records, std::vector<std::uint32_t> correlation_ids);

  // The api record of the same correlation id, or nullptr.
  [[nodiscard]] const Record* of(const Record& work) const;
  [[nodiscard]] std::string name_of(const Record& work) const;

 private:
  const PhaseRecords& records_;
  std::vector<std::pair<std::uint32_t, const Record*>> calls_;
};

// How messages name things.
[[nodiscard]] std::string kernel_name(const Record& kernel, const PhaseRecords& records);
[[nodiscard]] std::string count_of(std::size_t count, const char* one);  // "1 kernel", "2 kernels"

}  // namespace opgate::core
