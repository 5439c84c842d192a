#include "collect/record_table.hpp"

#include <functional>
#include <utility>

namespace opgate::collect {

std::size_t RecordTable::Hash::operator()(const KernelView& kernel) const noexcept {
  std::size_t hash = (*this)(kernel.name);
  const auto mix = [&hash](std::int32_t value) {
    hash = (hash * 0x9e37'79b9'7f4a'7c15U) ^ static_cast<std::uint32_t>(value);
  };
  for (const std::int32_t extent : kernel.shape.grid) mix(extent);
  for (const std::int32_t extent : kernel.shape.block) mix(extent);
  mix(kernel.shape.registers);
  mix(kernel.shape.static_shared_bytes);
  mix(kernel.shape.dynamic_shared_bytes);
  return hash;
}

bool RecordTable::Equal::operator()(const KernelView& a, const core::KernelInfo& b) const noexcept {
  return a.shape.grid == b.grid && a.shape.block == b.block && a.shape.registers == b.registers &&
         a.shape.static_shared_bytes == b.static_shared_bytes &&
         a.shape.dynamic_shared_bytes == b.dynamic_shared_bytes && a.name == b.name;
}

std::uint32_t RecordTable::name(std::string_view name) {
  if (const auto found = name_index_.find(name); found != name_index_.end()) return found->second;
  names_.emplace_back(name);
  return name_index_.emplace(name, static_cast<std::uint32_t>(names_.size() - 1)).first->second;
}

std::uint32_t RecordTable::kernel(std::string_view name, const core::KernelInfo& shape) {
  const auto found = kernel_index_.find(KernelView{name, shape});
  if (found != kernel_index_.end()) return found->second;
  core::KernelInfo& kernel = kernels_.emplace_back(shape);
  kernel.name = name;
  return kernel_index_.emplace(kernel, static_cast<std::uint32_t>(kernels_.size() - 1)).first->second;
}

void RecordTable::append(const RecordTable& later, std::vector<core::RecordBuffer>& records_of_later) {
  std::vector<std::uint32_t> names;
  std::vector<std::uint32_t> kernels;
  for (const std::string& one : later.names_) names.push_back(name(one));
  for (const core::KernelInfo& one : later.kernels_) kernels.push_back(kernel(one.name, one));
  for (core::RecordBuffer& buffer : records_of_later) {
    for (core::Record& record : buffer) {
      if (record.kind == core::RecordKind::kernel) record.name = kernels[record.name];
      if (record.kind == core::RecordKind::api) record.name = names[record.name];
    }
  }
}

void RecordTable::release_into(core::PhaseRecords& records) {
  records.names = std::exchange(names_, {});
  records.kernels = std::exchange(kernels_, {});
  name_index_.clear();
  kernel_index_.clear();
  id_index_.clear();
}

}  // namespace opgate::collect
