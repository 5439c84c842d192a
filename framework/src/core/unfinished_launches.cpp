#include <fmt/format.h>

#include <string_view>
#include <utility>

#include "core/claims.hpp"
#include "core/id_set.hpp"
#include "core/launch_calls.hpp"

namespace opgate::core {
namespace {

bool contains(std::string_view name, std::string_view word) {
  return name.find(word) != std::string_view::npos;
}

// cudaLaunchKernel, __cudaLaunchKernel, cudaLaunchKernelExC, cuLaunchKernelEx, cudaLaunchCooperativeKernel and so on;
// neither graphs, which may hold no kernel, nor functions of the host.
bool launches_kernel(std::string_view name) {
  return contains(name, "LaunchKernel") || contains(name, "LaunchCooperativeKernel");
}

IdSet ids_of_kernels(const PhaseRecords& records) {
  std::vector<std::uint32_t> ids;
  for (const RecordBuffer& buffer : records.buffers) {
    for (const Record& record : buffer) {
      if (record.kind == RecordKind::kernel) {
        ids.push_back(record.correlation_id);
      }
    }
  }
  return IdSet(std::move(ids));
}

struct Unfinished {
  std::size_t count = 0;
  const Record* first = nullptr;  // of the lowest iteration
  std::uint32_t iteration = 0;
};

Unfinished find(const PhaseRecords& records, const LabelMap& map, const std::vector<bool>& launches) {
  const IdSet finished = ids_of_kernels(records);
  Unfinished unfinished;
  for (const RecordBuffer& buffer : records.buffers) {
    for (const Record& record : buffer) {
      if (record.kind != RecordKind::api || record.name >= launches.size() || !launches[record.name]) {
        continue;
      }
      if (finished.contains(record.correlation_id)) {
        continue;
      }
      const Label label = map.find(record.correlation_id);
      if (label.kind != Label::Kind::iteration) {
        continue;
      }
      ++unfinished.count;
      if (unfinished.first == nullptr || label.iteration < unfinished.iteration) {
        unfinished.first = &record;
        unfinished.iteration = label.iteration;
      }
    }
  }
  return unfinished;
}

}  // namespace

std::optional<Issue> find_unfinished_launches(const PhaseRecords& records, const LabelMap& map) {
  std::vector<bool> launches;
  for (const std::string& name : records.names) {
    // A captured launch runs later, or never, and its call looks like any other.
    if (contains(name, "BeginCapture")) {
      return std::nullopt;
    }
    launches.push_back(launches_kernel(name));
  }
  const Unfinished unfinished = find(records, map, launches);
  if (unfinished.first == nullptr) {
    return std::nullopt;
  }
  return Issue{
      ErrorKind::records_lost,
      fmt::format("{} launched a kernel of which no record came, and none was counted as dropped; the first is "
                  "{} in iteration {}, from thread {}",
                  count_of(unfinished.count, "call"), records.names[unfinished.first->name], unfinished.iteration,
                  unfinished.first->thread_id),
      false,
      "launch in the device's primary context, which is drained after each call, and leave CUPTI alone in the "
      "op"};
}

}  // namespace opgate::core
