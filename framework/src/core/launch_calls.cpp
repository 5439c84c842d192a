#include "core/launch_calls.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/kernel_name.hpp"

namespace opgate::core {

LaunchCalls::LaunchCalls(const PhaseRecords& records, std::vector<std::uint32_t> correlation_ids) : records_(records) {
  std::sort(correlation_ids.begin(), correlation_ids.end());
  correlation_ids.erase(std::unique(correlation_ids.begin(), correlation_ids.end()), correlation_ids.end());
  for (const RecordBuffer& buffer : records.buffers) {
    for (const Record& record : buffer) {
      if (record.kind == RecordKind::api && record.correlation_id != 0 &&
          std::binary_search(correlation_ids.begin(), correlation_ids.end(), record.correlation_id)) {
        calls_.emplace_back(record.correlation_id, &record);
      }
    }
  }
  std::stable_sort(calls_.begin(), calls_.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
}

const Record* LaunchCalls::of(const Record& work) const {
  const auto found = std::lower_bound(calls_.begin(), calls_.end(), work.correlation_id,
                                      [](const auto& call, std::uint32_t id) { return call.first < id; });
  return found != calls_.end() && found->first == work.correlation_id ? found->second : nullptr;
}

std::string LaunchCalls::name_of(const Record& work) const {
  const Record* call = of(work);
  if (call != nullptr && call->name < records_.names.size()) {
    return records_.names[call->name];
  }
  return work.kind == RecordKind::memset ? "an unknown memset call" : "an unknown copy call";
}

std::string kernel_name(const Record& kernel, const PhaseRecords& records) {
  return kernel.name < records.kernels.size() ? demangle(records.kernels[kernel.name].name) : "a kernel without a name";
}

std::string count_of(std::size_t count, const char* one) {
  return count == 1 ? fmt::format("1 {}", one) : fmt::format("{} {}s", count, one);
}

}  // namespace opgate::core
