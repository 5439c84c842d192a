#include "run/kept_records.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <system_error>
#include <utility>

#include "opgate/error.hpp"
#include "report/timeline.hpp"
#include "run/replay.hpp"
#include "run/trace_files.hpp"
#include "text/file.hpp"

namespace opgate::run {

namespace fs = std::filesystem;

KeptRecords kept_records(const fs::path& history, const std::string& case_name) {
  fs::path folder = history;
  folder.replace_extension(".timelines");
  return {folder / (case_name + kTraceSuffix), folder / (case_name + ".json")};
}

std::size_t attempt_to_explain(const store::CaseResult& result) {
  const auto failed = std::find_if(result.attempts.begin(), result.attempts.end(), [](const core::Attempt& attempt) {
    return attempt.status != core::Status::measured;
  });
  return failed == result.attempts.end() ? 0 : static_cast<std::size_t>(failed - result.attempts.begin());
}

KeptRecords keep_records(const fs::path& history, const store::CaseResult& result, const std::string& trace) {
  KeptRecords files = kept_records(fs::absolute(history), result.identity.name);
  const collect::Trace parsed = collect::parse_trace(trace, "the worker's records");
  report::Timeline timeline = report::timeline_of(parsed, {.phase = phase_to_show(parsed)});
  timeline.facts.emplace_back("run", std::to_string(result.run_id));
  std::error_code problem;
  fs::create_directories(files.trace.parent_path(), problem);
  if (problem) {
    throw Error(ErrorKind::io, "cannot make the folder: " + problem.message(), files.trace.parent_path().string(),
                "check that its parent is writable and has space left");
  }
  text::write_file(files.trace, trace, ErrorKind::io);
  text::write_file(files.timeline, report::trace_events(timeline), ErrorKind::io);
  return files;
}

std::string try_to_keep(const fs::path& history, const store::CaseResult& result, const std::string& trace) {
  try {
    return trace.empty() ? std::string() : keep_records(history, result, trace).timeline.string();
  } catch (const std::exception& problem) {
    fmt::print("{}: no timeline: {}\n", result.identity.name, problem.what());
    return {};
  }
}

std::size_t phase_to_show(const collect::Trace& trace) {
  // What cannot be true was read to its end; every other refusal ends the measurement.
  const core::Attempt attempt = replay_trace(trace);
  const bool refused = attempt.status == core::Status::untrusted && attempt.error != ErrorKind::impossible;
  if (const auto phase = report::deciding_phase(trace, refused)) {
    return *phase;
  }
  throw Error(ErrorKind::trace, "the trace has no phase", trace.identity.name, "record it again with --record");
}

bool belongs_to(const collect::Trace& trace, const store::CaseResult& result) {
  return recorded_in(result, trace.recorded_unix_ms);
}

bool recorded_in(const store::CaseResult& result, std::int64_t recorded_unix_ms) {
  constexpr std::int64_t kNsPerMs = 1'000'000;
  return std::any_of(result.attempts.begin(), result.attempts.end(), [&](const core::Attempt& attempt) {
    const std::int64_t end_ms = attempt.started_unix_ms + attempt.wall_ns / kNsPerMs + 1;
    return recorded_unix_ms >= attempt.started_unix_ms && recorded_unix_ms <= end_ms;
  });
}

}  // namespace opgate::run
