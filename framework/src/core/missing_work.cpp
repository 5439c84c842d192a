#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
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

// The names of the calls that an iteration made, sorted, for each of `iterations`.
std::map<std::uint32_t, std::vector<std::uint32_t>> calls_of(const std::vector<std::uint32_t>& iterations,
                                                             const PhaseRecords& records, const LabelMap& map) {
  std::map<std::uint32_t, std::vector<std::uint32_t>> calls;
  for (const std::uint32_t iteration : iterations) {
    calls[iteration];
  }
  for (const RecordBuffer& buffer : records.buffers) {
    for (const Record& record : buffer) {
      if (record.kind != RecordKind::api) continue;
      const Label label = map.find(record.correlation_id);
      if (label.kind != Label::Kind::iteration) continue;
      if (const auto found = calls.find(label.iteration); found != calls.end()) found->second.push_back(record.name);
    }
  }
  for (auto& [iteration, names] : calls) {
    std::sort(names.begin(), names.end());
  }
  return calls;
}

}  // namespace

std::optional<Issue> find_missing_work(const PhaseRecords& records, const LabelMap& map, const Reading& reading) {
  if (reading.groups.size() < 2) {
    return std::nullopt;
  }
  const auto common = std::max_element(reading.groups.begin(), reading.groups.end(),
                                       [](const auto& a, const auto& b) { return a.samples < b.samples; });
  const auto common_number = static_cast<std::uint32_t>(common - reading.groups.begin());
  const int most = std::max(1, static_cast<int>(reading.samples.size()) / kRareOneIn);
  std::vector<std::uint32_t> suspects;
  std::uint32_t reference = 0;
  for (std::uint32_t i = 0; i < reading.samples.size(); ++i) {
    const KernelGroup& group = reading.groups[reading.samples[i].group];
    if (reading.samples[i].group == common_number) {
      reference = i;
    } else if (group.samples <= most && group.samples * kCommonTimes <= common->samples &&
               !missing_from(group, *common, records).empty()) {
      suspects.push_back(i);
    }
  }
  if (suspects.empty()) {
    return std::nullopt;
  }
  std::vector<std::uint32_t> iterations = suspects;
  iterations.push_back(reference);
  const auto calls = calls_of(iterations, records, map);
  for (const std::uint32_t suspect : suspects) {
    // Fewer calls are less work, not lost records.
    if (calls.at(suspect) != calls.at(reference) || calls.at(suspect).empty()) continue;
    const auto missing = missing_from(reading.groups[reading.samples[suspect].group], *common, records);
    return Issue{
        ErrorKind::records_lost,
        fmt::format("iteration {} made the same calls as {} others, but {} of the {} kernels and copies that "
                    "these launch left no record there, the first {}; none was counted as dropped",
                    suspect, common->samples, missing.size(),
                    common->kernels.size() + static_cast<std::size_t>(common->copies), demangle(missing.front())),
        false,
        "measure again; an op that launches a smaller graph once in many calls is two cases, one for each "
        "graph"};
  }
  return std::nullopt;
}

}  // namespace opgate::core
