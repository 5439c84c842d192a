#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/records.hpp"

namespace opgate::collect {

// Gives names and kernels of a phase their indices, in the order of their first record, so that equal records
// always read and serialise equally.
class RecordTable {
 public:
  [[nodiscard]] std::uint32_t name(const std::string& name);
  [[nodiscard]] std::uint32_t kernel(const core::KernelInfo& kernel);
  // Moves both tables out.
  void release_into(core::PhaseRecords& records);

 private:
  struct Hash {
    std::size_t operator()(const core::KernelInfo& kernel) const noexcept;
  };
  std::vector<std::string> names_;
  std::vector<core::KernelInfo> kernels_;
  std::unordered_map<std::string, std::uint32_t> name_index_;
  std::unordered_map<core::KernelInfo, std::uint32_t, Hash> kernel_index_;
};

}  // namespace opgate::collect
