#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "core/claims.hpp"
#include "core/launch_calls.hpp"

namespace opgate::core {
namespace {

Issue timestamps_lost(const Claims& claims, const PhaseRecords& records) {
  const Record& first = *claims.without_time.front();
  const std::string name = first.kind == RecordKind::kernel   ? kernel_name(first, records)
                           : first.kind == RecordKind::memcpy ? "a copy"
                                                              : "a memset";
  return {ErrorKind::timestamps_lost,
          fmt::format("{} without usable timestamps; the first is {} with start {} and end {} (CUPTI's device buffers "
                      "were exhausted)",
                      count_of(claims.without_time.size(), "record"), name, first.start_ns, first.end_ns),
          false, "measure fewer iterations at once (--iterations)"};
}

Issue unmeasured_copies(const Claims& claims, const PhaseRecords& records) {
  std::vector<std::uint32_t> ids;
  for (const Record* copy : claims.copies) {
    ids.push_back(copy->correlation_id);
  }
  const LaunchCalls calls(records, std::move(ids));
  std::uint32_t first = claims.copied_in.front();
  for (const std::uint32_t iteration : claims.copied_in) {
    first = std::min(first, iteration);
  }
  std::map<std::string, std::pair<std::size_t, std::uint64_t>> by_call;  // of the first such iteration
  for (std::size_t i = 0; i < claims.copies.size(); ++i) {
    if (claims.copied_in[i] == first) {
      auto& [count, bytes] = by_call[calls.name_of(*claims.copies[i])];
      ++count;
      bytes += claims.copies[i]->bytes;
    }
  }
  std::string list;
  for (const auto& [name, total] : by_call) {
    list += fmt::format("{}{} x {}, {} bytes", list.empty() ? "" : "; ", total.first, name, total.second);
  }
  return {ErrorKind::unmeasured_copies,
          fmt::format("{} inside the call, which the busy time of kernels does not contain; in iteration {}: {}",
                      count_of(claims.copies.size(), "copy or memset call"), first, list),
          false, "remove the copies from the call, or set \"copies\": \"count\" in the spec"};
}

// Iterations with neither a kernel nor a copy; a forbidden copy did reach the device.
std::optional<Issue> launched_nothing(const Claims& claims, int iterations) {
  std::vector<bool> busy(static_cast<std::size_t>(std::max(iterations, 0)), false);
  for (const Work& work : claims.work) {
    busy[work.iteration] = true;
  }
  for (const std::uint32_t iteration : claims.copied_in) {
    busy[iteration] = true;
  }
  const auto first = std::find(busy.begin(), busy.end(), false);
  if (first == busy.end()) {
    return std::nullopt;
  }
  const auto count = std::count(busy.begin(), busy.end(), false);
  return Issue{ErrorKind::attribution,
               fmt::format("iteration {} launched nothing ({} of {} iterations did); nothing was dropped, so that call "
                           "never reached the device",
                           first - busy.begin(), count, iterations),
               false, "let every call launch its work before it returns"};
}

}  // namespace

std::optional<Issue> find_lost_records(const PhaseRecords& records) {
  if (!records.dropped) {
    return Issue{ErrorKind::unproven,
                 "CUPTI's count of dropped records could not be read or was not proven live, so nothing shows that the "
                 "reading is complete",
                 false, "run without nsys, ncu, cuda-gdb and compute-sanitizer, then measure again"};
  }
  if (*records.dropped > 0) {
    return Issue{ErrorKind::records_lost,
                 fmt::format("CUPTI dropped {}, so the reading is not complete",
                             count_of(static_cast<std::size_t>(*records.dropped), "record")),
                 true, "measure fewer iterations at once (--iterations), or larger work per launch"};
  }
  return std::nullopt;
}

std::vector<Issue> find_issues(const Claims& claims, const PhaseRecords& records, const PhaseLabels& labels) {
  std::vector<Issue> issues;
  // The environment's fault comes before the op's.
  if (!claims.without_time.empty()) {
    issues.push_back(timestamps_lost(claims, records));
  }
  if (!claims.orphans.empty()) {
    issues.push_back(off_thread_issue(claims, records, labels));
  }
  if (!claims.copies.empty()) {
    issues.push_back(unmeasured_copies(claims, records));
  }
  if (claims.orphans.empty()) {  // an orphan may be the very work that an empty iteration lacks
    if (std::optional<Issue> nothing = launched_nothing(claims, labels.iterations)) {
      issues.push_back(*std::move(nothing));
    }
  }
  return issues;
}

}  // namespace opgate::core
