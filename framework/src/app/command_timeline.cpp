#include "app/command_timeline.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <system_error>

#include "app/command_text.hpp"
#include "app/option_checks.hpp"
#include "opgate/error.hpp"
#include "report/timeline.hpp"
#include "run/kept_records.hpp"
#include "text/file.hpp"

namespace opgate::app {

namespace {

namespace fs = std::filesystem;
using report::Pick;

const std::map<std::string, Pick>& picks() {
  static const std::map<std::string, Pick> all{
      {"median", Pick::median}, {"slowest", Pick::slowest}, {"fastest", Pick::fastest}};
  return all;
}

std::optional<std::uint32_t> number_in(const std::string& word) {
  std::uint32_t number = 0;
  const auto [end, problem] = std::from_chars(word.data(), word.data() + word.size(), number);
  return problem == std::errc() && end == word.data() + word.size() ? std::optional(number) : std::nullopt;
}

WordCheck iteration_check() {
  return [](const std::string& word) {
    return picks().contains(word) || number_in(word) ? std::string()
                                                     : "\"" + word + "\" is no number, median, slowest or fastest";
  };
}

std::size_t phase_of(const collect::Trace& trace, const TimelineWords& words) {
  if (!words.phase) return run::phase_to_show(trace);
  if (*words.phase >= 1 && *words.phase <= trace.phases.size()) return *words.phase - 1;
  std::string known;
  for (std::size_t i = 0; i < trace.phases.size(); ++i) {
    known += fmt::format("{}{} ({})", i == 0 ? "" : ", ", i + 1, report::phase_words(trace.phases[i]));
  }
  throw Error(ErrorKind::usage, fmt::format("the trace has no phase {}", *words.phase), trace.identity.name,
              "name one of " + known);
}

std::optional<std::uint32_t> iteration_of(const collect::Trace& trace, std::size_t phase, const TimelineWords& words) {
  const auto pick = picks().find(words.iteration);
  if (pick == picks().end()) return number_in(words.iteration);
  if (const auto iteration = report::pick_iteration(trace, phase, pick->second)) return iteration;
  throw Error(ErrorKind::usage, fmt::format("no iteration of the phase has work, so none is the {}", words.iteration),
              report::phase_words(trace.phases[phase]), "leave --iteration out, or name one by its number");
}

std::string fact(const report::Timeline& timeline, const std::string& name) {
  for (const auto& [known, value] : timeline.facts) {
    if (known == name) return value;
  }
  return {};
}

// A GPU recorded the trace, so nothing brings it back.
void keep_trace(const fs::path& trace, const TimelineWords& words) {
  std::error_code none_yet;
  if (fs::equivalent(words.file, trace, none_yet)) {
    throw Error(ErrorKind::usage, "--timeline would replace the trace that it shows", words.file,
                "name another file with --timeline");
  }
}

core::ExitCode write(const Session& session, const collect::Trace& trace, std::optional<std::int64_t> run,
                     const TimelineWords& words) {
  const std::size_t phase = phase_of(trace, words);
  report::Timeline timeline =
      report::timeline_of(trace, {.phase = phase, .iteration = iteration_of(trace, phase, words)});
  if (run) timeline.facts.emplace_back("run", std::to_string(*run));
  const fs::path extension = fs::path(words.file).extension();
  const bool picture = extension == ".svg" || extension == ".SVG";
  text::write_file(words.file, picture ? report::timeline_picture(timeline) : report::trace_events(timeline),
                   ErrorKind::io);
  const std::string shown = fact(timeline, "iterations_shown");
  if (session.json) {
    session.print({{"case", trace.identity.name},
                   {"timeline", words.file},
                   {"run", report::or_null(run)},
                   {"phase", phase + 1},
                   {"phases", trace.phases.size()},
                   {"phase_is", report::phase_words(trace.phases[phase])},
                   {"iterations_shown", shown}});
    return core::ExitCode::pass;
  }
  session.out() << fmt::format("{}: {}, phase {} of {}: {}; iterations shown: {}\n", words.file, trace.identity.name,
                               phase + 1, trace.phases.size(), report::phase_words(trace.phases[phase]), shown)
                << (picture ? "" : "open it in https://ui.perfetto.dev or chrome://tracing\n");
  return core::ExitCode::pass;
}

bool has_kept(const run::KeptRecords& kept) {
  std::error_code problem;
  return fs::is_regular_file(kept.trace, problem);
}

std::string how_to_record(const std::string& name) {
  return fmt::format(
      "run op_{} {} --record case.trace.jsonl, then opgate show {} --trace case.trace.jsonl --timeline FILE",
      name.substr(0, name.find('.')), name, name);
}

// The kept records are those of the newest failure, which may be that of another run.
Error of_another_run(const store::History& history, const store::CaseResult& result, const collect::Trace& trace,
                     const fs::path& path) {
  for (const store::CaseResult& other : history.results({.case_name = result.identity.name, .with_samples = false})) {
    if (run::belongs_to(trace, other)) {
      return {ErrorKind::history,
              fmt::format("the records kept of {} are of run {}, not of run {}", result.identity.name, other.run_id,
                          result.run_id),
              path.string(), fmt::format("add --run {}, or {}", other.run_id, how_to_record(result.identity.name))};
    }
  }
  return {ErrorKind::history, fmt::format("the records kept of {} are of no run of this history", result.identity.name),
          path.string(), how_to_record(result.identity.name)};
}

}  // namespace

void add_timeline_options(Command show, TimelineWords& words) {
  const Option file =
      show.option("--timeline", words.file,
                  "Write what its kernels, streams, flush, hold, probes and gaps did, for ui.perfetto.dev and "
                  "chrome://tracing, or as a picture (.svg), from the records that a failing case keeps")
          .type_name("FILE")
          .check(not_empty());
  show.option("--trace", words.trace, "Take the records from this trace, which the case wrote with --record")
      .type_name("TRACE")
      .check(not_empty())
      .needs(file);
  show.option("--phase", words.phase, "Show this phase of the trace (default: the one that decides)")
      .type_name("N")
      .needs(file);
  show.option("--iteration", words.iteration,
              "Show one iteration: its number, median, slowest or fastest (default: all of the phase)")
      .type_name("N")
      .check(iteration_check())
      .needs(file);
}

core::ExitCode show_trace(const Session& session, const std::string& case_name, const TimelineWords& words) {
  keep_trace(words.trace, words);
  const collect::Trace trace = collect::read_trace(words.trace);
  if (trace.identity.name != case_name) {
    throw Error(ErrorKind::usage, fmt::format("the trace is of {}, not of {}", trace.identity.name, case_name),
                words.trace, "name the case of the trace");
  }
  return write(session, trace, std::nullopt, words);
}

core::ExitCode show_kept(const Session& session, const store::History& history, const store::CaseResult& result,
                         const TimelineWords& words) {
  const run::KeptRecords kept = run::kept_records(history.path(), result.identity.name);
  if (!has_kept(kept)) {
    throw Error(ErrorKind::history,
                fmt::format("no records of {} are kept: only a case that fails keeps its own", result.identity.name),
                kept.trace.string(), how_to_record(result.identity.name));
  }
  keep_trace(kept.trace, words);
  const collect::Trace trace = collect::read_trace(kept.trace);
  if (!run::belongs_to(trace, result)) throw of_another_run(history, result, trace, kept.trace);
  return write(session, trace, result.run_id, words);
}

std::string kept_timeline_words(const store::History& history, const store::CaseResult& result) {
  const run::KeptRecords kept = run::kept_records(history.path(), result.identity.name);
  try {
    if (!has_kept(kept) || !run::belongs_to(collect::read_trace(kept.trace), result)) return {};
  } catch (const Error&) {
    return {};  // asking for the timeline says what is wrong with it
  }
  return fmt::format("show {} --run {} --timeline {}.json", result.identity.name, result.run_id, result.identity.name);
}

}  // namespace opgate::app
