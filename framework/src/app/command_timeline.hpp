#pragma once

#include <optional>
#include <string>

#include "app/command_options.hpp"
#include "app/command_session.hpp"

namespace opgate::app {

// What `opgate show CASE --timeline FILE` is told.
struct TimelineWords {
  std::string file;                  // "": no timeline is wanted
  std::string trace;                 // "": the records that the history keeps
  std::optional<std::size_t> phase;  // from 1
  std::string iteration;             // "": all of the phase
};

void add_timeline_options(Command show, TimelineWords& words);

// Of a trace, which needs no history.
[[nodiscard]] core::ExitCode show_trace(const Session& session, const std::string& case_name,
                                        const TimelineWords& words);
// Of what the history keeps of this result.
[[nodiscard]] core::ExitCode show_kept(const Session& session, const store::History& history,
                                       const store::CaseResult& result, const TimelineWords& words);
// What opgate is told to draw what is kept of this result; "" when nothing is.
[[nodiscard]] std::string kept_timeline_words(const store::History& history, const store::CaseResult& result);

}  // namespace opgate::app
