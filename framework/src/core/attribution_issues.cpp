#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>
#include <tuple>
#include <utility>

#include "core/claims.hpp"
#include "core/kernel_name.hpp"

namespace opgate::core {
namespace {

constexpr std::size_t kMaxNamed = 3;  // kinds of stray work told one by one

std::string count_of(std::size_t count, const char* one) {
  return count == 1 ? fmt::format("1 {}", one) : fmt::format("{} {}s", count, one);
}

std::string kernel_name(const Record& record, const PhaseRecords& records) {
  return record.name < records.kernels.size() ? demangle(records.kernels[record.name].name) : "a kernel without a name";
}

// The launching calls of a few records, found in one pass, because their records may lie anywhere.
class LaunchCalls {
 public:
  LaunchCalls(const PhaseRecords& records, std::vector<std::uint32_t> correlation_ids) : records_(records) {
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

  [[nodiscard]] const Record* of(const Record& work) const {
    const auto found = std::lower_bound(calls_.begin(), calls_.end(), work.correlation_id,
                                        [](const auto& call, std::uint32_t id) { return call.first < id; });
    return found != calls_.end() && found->first == work.correlation_id ? found->second : nullptr;
  }
  [[nodiscard]] std::string name_of(const Record& work) const {
    const Record* call = of(work);
    if (call != nullptr && call->name < records_.names.size()) {
      return records_.names[call->name];
    }
    return work.kind == RecordKind::memset ? "an unknown memset call" : "an unknown copy call";
  }

 private:
  const PhaseRecords& records_;
  std::vector<std::pair<std::uint32_t, const Record*>> calls_;
};

std::string why_stray(const Label& label, int iterations) {
  switch (label.kind) {
    case Label::Kind::other_phase:
      return ", which carries a label that is not of this phase";
    case Label::Kind::never_pushed:
      return fmt::format(", which carries the label of iteration {}, but only {} were pushed", label.iteration,
                         iterations);
    case Label::Kind::ambiguous:
      return ", which carries two different labels";
    default:
      return "";
  }
}

Issue off_thread(const Claims& claims, const PhaseRecords& records, const PhaseLabels& labels) {
  std::vector<std::uint32_t> ids;
  for (const Stray& stray : claims.orphans) {
    ids.push_back(stray.record->correlation_id);
  }
  if (claims.first_work != nullptr) {
    ids.push_back(claims.first_work->correlation_id);
  }
  const LaunchCalls calls(records, std::move(ids));
  const Record* call_of_op = claims.first_work != nullptr ? calls.of(*claims.first_work) : nullptr;

  const auto thread_of = [&](const Record& record) -> std::string {
    const Record* call = calls.of(record);
    if (call == nullptr) {
      return "an unknown thread (no launch call was recorded)";
    }
    const bool same = call_of_op != nullptr && call->thread_id == call_of_op->thread_id;
    return fmt::format("thread {}{}", call->thread_id, same ? ", the call's own, outside of its label" : "");
  };
  const auto what_is = [&](const Record& record) {
    return record.kind == RecordKind::kernel ? kernel_name(record, records)
                                             : fmt::format("{} ({} bytes)", calls.name_of(record), record.bytes);
  };
  // Map nodes per distinct stray only: a text has few.
  using Key = std::tuple<RecordKind, std::uint32_t, std::uint32_t, Label::Kind, std::uint32_t, std::uint64_t>;
  std::map<Key, std::pair<std::size_t, const Stray*>> kinds;
  std::vector<Key> in_order;
  for (const Stray& stray : claims.orphans) {
    const Record* call = calls.of(*stray.record);
    const Key key{stray.record->kind, stray.record->name,    call != nullptr ? call->thread_id : 0,
                  stray.label.kind,   stray.label.iteration, stray.record->bytes};
    const auto [place, added] = kinds.try_emplace(key, 0, &stray);
    ++place->second.first;
    if (added) {
      in_order.push_back(key);
    }
  }
  std::string list;
  for (std::size_t i = 0; i < std::min(in_order.size(), kMaxNamed); ++i) {
    const auto& [count, stray] = kinds.at(in_order[i]);
    list += fmt::format("{}{} x {} from {}{}", i == 0 ? "" : "; ", count, what_is(*stray->record),
                        thread_of(*stray->record), why_stray(stray->label, labels.iterations));
  }
  if (in_order.size() > kMaxNamed) {
    list += fmt::format("; and {} more kinds", in_order.size() - kMaxNamed);
  }
  const auto kernels =
      static_cast<std::size_t>(std::count_if(claims.orphans.begin(), claims.orphans.end(), [](const Stray& stray) {
        return stray.record->kind == RecordKind::kernel;
      }));
  const std::size_t copies = claims.orphans.size() - kernels;
  const std::string subject = kernels == 0 ? count_of(copies, "copy or memset call")
                              : copies == 0
                                  ? count_of(kernels, "kernel")
                                  : count_of(kernels, "kernel") + " and " + count_of(copies, "copy or memset call");
  return {ErrorKind::off_thread_launch,
          fmt::format("{} {} no label of an iteration: {}", subject, claims.orphans.size() == 1 ? "carries" : "carry",
                      list),
          false,
          "Launch all work of the call from the thread that makes the call, and leave the external id kind CUSTOM2 to "
          "opgate."};
}

Issue timestamps_lost(const Claims& claims, const PhaseRecords& records) {
  const Record& first = *claims.without_time.front();
  const std::string name = first.kind == RecordKind::kernel   ? kernel_name(first, records)
                           : first.kind == RecordKind::memcpy ? "a copy"
                                                              : "a memset";
  return {ErrorKind::timestamps_lost,
          fmt::format("{} without usable timestamps; the first is {} with start {} and end {} (CUPTI's device buffers "
                      "were exhausted)",
                      count_of(claims.without_time.size(), "record"), name, first.start_ns, first.end_ns),
          false, "Measure fewer iterations at once (--iterations)."};
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
          false, "Remove the copies from the call, or set \"copies\": \"count\" in the spec."};
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
               false, "Let every call launch its work before it returns."};
}

}  // namespace

std::optional<Issue> find_lost_records(const PhaseRecords& records) {
  if (!records.dropped) {
    return Issue{ErrorKind::unproven,
                 "CUPTI's count of dropped records could not be read or was not proven live, so nothing shows that the "
                 "reading is complete",
                 false, "Run without nsys, ncu, cuda-gdb and compute-sanitizer, then measure again."};
  }
  if (*records.dropped > 0) {
    return Issue{ErrorKind::records_lost,
                 fmt::format("CUPTI dropped {}, so the reading is not complete",
                             count_of(static_cast<std::size_t>(*records.dropped), "record")),
                 true, "Measure fewer iterations at once (--iterations), or larger work per launch."};
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
    issues.push_back(off_thread(claims, records, labels));
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
