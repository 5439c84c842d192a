#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>

#include "collect/trace.hpp"
#include "store/history.hpp"

namespace opgate::run {

// What the newest failure of a case left beside its history.
struct KeptRecords {
  std::filesystem::path trace;     // <history without suffix>.timelines/<case>.trace.jsonl
  std::filesystem::path timeline;  // the same as <case>.json
};
[[nodiscard]] KeptRecords kept_records(const std::filesystem::path& history, const std::string& case_name);

// The attempt by which a failed result is explained: the first that gave no number, else the first.
[[nodiscard]] std::size_t attempt_to_explain(const store::CaseResult& result);

// Writes both files, in place of older ones. Error(trace, io).
[[nodiscard]] KeptRecords keep_records(const std::filesystem::path& history, const store::CaseResult& result,
                                       const std::string& trace);

// The same, for one who has a result to tell: the timeline's path; "" without a trace, and, said on stdout, where it
// cannot be written, as a file for people must not change an outcome.
[[nodiscard]] std::string try_to_keep(const std::filesystem::path& history, const store::CaseResult& result,
                                      const std::string& trace);

// The phase that a timeline shows unless told otherwise. Error(trace) when there is none.
[[nodiscard]] std::size_t phase_to_show(const collect::Trace& trace);

// Whether the trace was recorded by one of the result's workers.
[[nodiscard]] bool belongs_to(const collect::Trace& trace, const store::CaseResult& result);
[[nodiscard]] bool recorded_in(const store::CaseResult& result, std::int64_t recorded_unix_ms);

}  // namespace opgate::run
