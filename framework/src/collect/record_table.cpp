#include "collect/record_table.hpp"

#include <functional>
#include <utility>

namespace opgate::collect {

std::size_t RecordTable::Hash::operator()(const core::KernelInfo& kernel) const noexcept {
  std::size_t hash = std::hash<std::string>{}(kernel.name);
  const auto mix = [&hash](std::int32_t value) {
    hash = (hash * 0x9e37'79b9'7f4a'7c15U) ^ static_cast<std::uint32_t>(value);
  };
  for (const std::int32_t extent : kernel.grid) mix(extent);
  for (const std::int32_t extent : kernel.block) mix(extent);
  mix(kernel.registers);
  mix(kernel.static_shared_bytes);
  mix(kernel.dynamic_shared_bytes);
  return hash;
}

std::uint32_t RecordTable::name(const std::string& name) {
  const auto [entry, added] = name_index_.try_emplace(name, static_cast<std::uint32_t>(names_.size()));
  if (added) names_.push_back(name);
  return entry->second;
}

std::uint32_t RecordTable::kernel(const core::KernelInfo& kernel) {
  const auto [entry, added] = kernel_index_.try_emplace(kernel, static_cast<std::uint32_t>(kernels_.size()));
  if (added) kernels_.push_back(kernel);
  return entry->second;
}

void RecordTable::release_into(core::PhaseRecords& records) {
  records.names = std::exchange(names_, {});
  records.kernels = std::exchange(kernels_, {});
  name_index_.clear();
  kernel_index_.clear();
}

}  // namespace opgate::collect
