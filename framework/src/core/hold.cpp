#include "core/hold.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>

#include "core/claims.hpp"
#include "core/kernel_name.hpp"
#include "core/launch_calls.hpp"

namespace opgate::core {
namespace {

constexpr double kMicrosecondNs = 1e3;
// Joining several streams, clusters and graphs end later than the plain kernel that the limit is taken from.
constexpr std::int64_t kTailMarginNs = 4'000;
// The host may be between the call and the closing probe when the device is done: two launches and an interrupted core.
constexpr std::int64_t kHostMarginNs = 50'000;

std::string work_name(const PhaseRecords& records, std::uint32_t kernel) {
  return kernel < records.kernels.size() ? demangle(records.kernels[kernel].name) : "a copy or memset";
}

double us(std::int64_t time_ns) {
  return static_cast<double>(time_ns) / kMicrosecondNs;
}

const CallFrame* first_escape(const Reading& reading) {
  const auto escaped = [](const CallFrame& frame) {
    return frame.last_end_ns > 0 && frame.first_start_ns < frame.opening_end_ns;
  };
  const auto found = std::find_if(reading.frames.begin(), reading.frames.end(), escaped);
  return found == reading.frames.end() ? nullptr : &*found;
}

std::size_t iteration_of(const Reading& reading, const CallFrame& frame) {
  return static_cast<std::size_t>(&frame - reading.frames.data());
}

std::optional<Issue> let_go(const PhaseRecords& records) {
  if (records.stage.let_go.empty()) {
    return std::nullopt;
  }
  return Issue{ErrorKind::attribution,
               fmt::format("the call of iteration {} waited for the held device ({} of the phase did), although none "
                           "did in the trial",
                           records.stage.let_go.front(), records.stage.let_go.size()),
               true, "measure with --launch direct when the op may wait for the device inside its call"};
}

std::optional<Issue> escaped(const PhaseRecords& records, const Reading& reading) {
  const CallFrame* const frame = first_escape(reading);
  if (frame == nullptr) {
    return std::nullopt;
  }
  return Issue{ErrorKind::attribution,
               fmt::format("{} of iteration {} ran before the hold was released, although none did in the trial",
                           work_name(records, frame->first_kernel), iteration_of(reading, *frame)),
               false, "order every stream of the op after call.stream, or measure with --launch direct"};
}

std::optional<Issue> outlives(const PhaseRecords& records, const Reading& reading) {
  for (const CallFrame& frame : reading.frames) {
    if (frame.last_end_ns > frame.closing_start_ns) {
      return Issue{ErrorKind::attribution,
                   fmt::format("{} of iteration {} ran on for {:.1f} us after everything that is ordered before the "
                               "end of the call: its stream is not joined to the call's",
                               work_name(records, frame.last_kernel), iteration_of(reading, frame),
                               us(frame.last_end_ns - frame.closing_start_ns)),
                   false, "make call.stream wait for every other stream of the op (cudaStreamWaitEvent)"};
    }
  }
  return std::nullopt;
}

std::optional<Issue> hidden(const PhaseRecords& records, const Reading& reading, HoldRule rule) {
  if (rule.tail_limit_ns <= 0 || reading.frames.empty()) {
    return std::nullopt;
  }
  std::vector<const CallFrame*> longest;
  for (const CallFrame& frame : reading.frames) {
    if (frame.last_end_ns > 0) {  // else all of the call ran on another device
      longest.push_back(&frame);
    }
  }
  if (longest.empty()) {
    return std::nullopt;
  }
  // One late probe is the machine's; a tenth of them (held), or half (direct: the host may be late too), is the call's.
  const std::size_t rank = rule.held ? longest.size() - 1 - longest.size() / 10 : longest.size() / 2;
  const auto place = longest.begin() + static_cast<std::ptrdiff_t>(rank);
  std::nth_element(longest.begin(), place, longest.end(),
                   [](const CallFrame* a, const CallFrame* b) { return a->tail_ns() < b->tail_ns(); });
  const CallFrame& frame = **place;
  if (frame.tail_ns() <= rule.tail_limit_ns) {
    return std::nullopt;
  }
  return Issue{
      ErrorKind::attribution,
      fmt::format("the device was not free until {:.1f} us after {}, the last work that CUPTI recorded of "
                  "iteration {} (limit {:.1f} us): the call does work that no record tells of, such as kernels "
                  "launched from the device",
                  us(frame.tail_ns()), work_name(records, frame.last_kernel), iteration_of(reading, frame),
                  us(rule.tail_limit_ns)),
      false, "launch all of the call's kernels from the host"};
}

}  // namespace

HoldReport judge_hold(const PhaseRecords& records, const Reading& reading) {
  if (!records.stage.hold_refusal.empty()) {
    return {HoldOutcome::refused, records.stage.hold_refusal};
  }
  if (!records.stage.let_go.empty()) {
    int launches = 0;
    for (const CallFrame& frame : reading.frames) {
      launches = std::max(launches, frame.launches);
    }
    return launches > kMostHeldLaunches
               ? HoldReport{HoldOutcome::too_many_launches,
                            fmt::format("it launches {} kernels, and a held stream takes about {}", launches,
                                        kMostHeldLaunches)}
               : HoldReport{HoldOutcome::waited, "it waits for the device inside the call"};
  }
  if (const CallFrame* const frame = first_escape(reading)) {
    return {HoldOutcome::escaped, fmt::format("{} runs in a stream that is not ordered after the call's",
                                              work_name(records, frame->first_kernel))};
  }
  return {};
}

std::string longest_api_call(const PhaseRecords& records, const PhaseLabels& labels) {
  const LabelMap map(records, labels);
  const Record* longest = nullptr;
  for (const RecordBuffer& buffer : records.buffers) {
    for (const Record& record : buffer) {
      if (record.kind == RecordKind::api && record.name < records.names.size() &&
          map.find(record.correlation_id).kind == Label::Kind::iteration &&
          (longest == nullptr || record.end_ns - record.start_ns > longest->end_ns - longest->start_ns)) {
        longest = &record;
      }
    }
  }
  return longest == nullptr ? std::string() : records.names[longest->name];
}

std::vector<Issue> find_hold_issues(const PhaseRecords& records, const Reading& reading, HoldRule rule) {
  std::vector<Issue> issues;
  const auto add = [&](std::optional<Issue>&& issue) {
    if (issue && issues.empty()) {
      issues.push_back(*std::move(issue));
    }
  };
  if (rule.held) {
    add(let_go(records));
    add(escaped(records, reading));
  }
  add(outlives(records, reading));
  add(hidden(records, reading, rule));
  return issues;
}

std::int64_t tail_limit_ns(const std::vector<CallFrame>& frames, bool held) {
  std::int64_t longest_ns = 0;
  for (const CallFrame& frame : frames) {
    longest_ns = std::max(longest_ns, frame.tail_ns());
  }
  return longest_ns + (held ? kTailMarginNs : kHostMarginNs);
}

}  // namespace opgate::core
