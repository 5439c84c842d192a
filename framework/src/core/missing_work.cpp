#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/claims.hpp"
#include "core/kernel_name.hpp"

namespace opgate::core {
namespace {

// A lost record is rare; an op that does something else in more of its calls than this has kernel groups.
constexpr int kRareOneIn = 50;
constexpr int kCommonTimes = 4;

std::vector<std::string> names_of(const KernelGroup& group, const PhaseRecords& records) {
  std::vector<std::string> names;
  for (const std::uint32_t kernel : group.kernels) {
    names.push_back(kernel < records.kernels.size() ? records.kernels[kernel].name : "");
  }
  std::sort(names.begin(), names.end());
  return names;
}

// What the common group launches beyond the rare one; empty unless the rare one launches that and nothing else.
std::vector<std::string> missing_from(const KernelGroup& rare, const KernelGroup& common, const PhaseRecords& records) {
  const std::vector<std::string> few = names_of(rare, records);
  const std::vector<std::string> all = names_of(common, records);
  std::vector<std::string> missing;
  if (rare.copies <= common.copies && std::includes(all.begin(), all.end(), few.begin(), few.end())) {
    std::set_difference(all.begin(), all.end(), few.begin(), few.end(), std::back_inserter(missing));
    missing.insert(missing.end(), static_cast<std::size_t>(common.copies - rare.copies), "a copy or memset");
  }
  return missing;
}

using Calls = std::vector<std::vector<std::uint32_t>>;  // the names of the calls of each iteration, sorted

Calls calls_of(const PhaseRecords& records, const LabelMap& map, std::size_t iterations) {
  Calls calls(iterations);
  for (const RecordBuffer& buffer : records.buffers) {
    for (const Record& record : buffer) {
      const Label label = map.find(record.correlation_id);
      if (record.kind == RecordKind::api && label.kind == Label::Kind::iteration) {
        calls.at(label.iteration).push_back(record.name);
      }
    }
  }
  for (std::vector<std::uint32_t>& names : calls) {
    std::sort(names.begin(), names.end());
  }
  return calls;
}

std::size_t first_of(std::size_t group, const Reading& reading) {
  const auto found = std::find_if(reading.samples.begin(), reading.samples.end(),
                                  [&](const Sample& sample) { return sample.group == group; });
  return static_cast<std::size_t>(found - reading.samples.begin());
}

}  // namespace

std::optional<Issue> find_missing_work(const PhaseRecords& records, const LabelMap& map, const Reading& reading) {
  const int most = std::max(1, static_cast<int>(reading.samples.size()) / kRareOneIn);
  std::optional<Calls> calls;
  for (std::size_t rare = 0; rare < reading.groups.size(); ++rare) {
    const KernelGroup& few = reading.groups[rare];
    for (std::size_t common = 0; few.samples <= most && common < reading.groups.size(); ++common) {
      const KernelGroup& all = reading.groups[common];
      if (few.samples * kCommonTimes > all.samples) continue;
      const std::vector<std::string> missing = missing_from(few, all, records);
      if (missing.empty()) continue;
      if (!calls) calls = calls_of(records, map, reading.samples.size());
      const std::size_t iteration = first_of(rare, reading);
      // Fewer calls are less work, not lost records; without a record of any call nothing can be said.
      if (calls->at(iteration) != calls->at(first_of(common, reading)) || calls->at(iteration).empty()) continue;
      return Issue{
          ErrorKind::records_lost,
          fmt::format("iteration {} made the same calls as {} others, but {} of the {} kernels and copies that "
                      "these launch left no record there, the first {}; none was counted as dropped",
                      iteration, all.samples, missing.size(), all.kernels.size() + static_cast<std::size_t>(all.copies),
                      demangle(missing.front())),
          false,
          "measure again; an op that launches a smaller graph once in many calls is two cases, one for each "
          "graph"};
    }
  }
  return std::nullopt;
}

}  // namespace opgate::core
