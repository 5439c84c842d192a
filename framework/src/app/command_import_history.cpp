#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "app/command_import.hpp"
#include "app/command_result.hpp"
#include "app/command_text.hpp"
#include "app/progress.hpp"
#include "app/session_terminal.hpp"
#include "store/other_history.hpp"

namespace opgate::app {

namespace {

struct Merged {
  store::RunInfo there;
  std::int64_t here = 0;
  std::size_t results = 0;
  std::int64_t samples = 0;
  bool known = false;
  std::string conflict;  // what differs; empty when nothing does
};

std::int64_t samples_in(const std::vector<store::CaseResult>& results) {
  std::size_t count = 0;
  for (const store::CaseResult& result : results) {
    for (const core::Attempt& attempt : result.attempts) {
      for (const auto& implementation : attempt.implementations) count += implementation.measurement.samples.size();
    }
  }
  return static_cast<std::int64_t>(count);
}

// The first thing that differs between a run here and there.
std::string difference(const store::RunInfo& here, const std::vector<store::CaseResult>& ours,
                       const store::RunInfo& there, const std::vector<store::CaseResult>& theirs) {
  if (!store::same_content(here, there)) return "the run itself (time, host, commit, label or selection)";
  std::map<std::string, const store::CaseResult*> by_name;
  for (const store::CaseResult& result : ours) by_name.emplace(result.identity.name, &result);
  for (const store::CaseResult& result : theirs) {
    const auto found = by_name.find(result.identity.name);
    if (found == by_name.end()) return result.identity.name + ", which is not here";
    if (!store::same_content(*found->second, result)) return result.identity.name;
    by_name.erase(found);
  }
  return by_name.empty() ? std::string() : by_name.begin()->first + ", which is only here";
}

Merged merge_run(store::History& history, const store::RunInfo& there, std::vector<store::CaseResult> theirs) {
  Merged merged;
  merged.there = there;
  if (const auto known = history.run_by_uuid(there.uuid)) {
    merged.known = true;
    merged.here = known->id;
    merged.conflict = difference(*known, results_of(history, known->id, true), there, theirs);
    return merged;
  }
  std::reverse(theirs.begin(), theirs.end());  // oldest first, as they were recorded
  merged.here = history.open_run(there);
  history.put_results(merged.here, theirs);
  merged.results = theirs.size();
  merged.samples = samples_in(theirs);
  return merged;
}

void report(const Session& session, const Merged& merged, const std::string& file) {
  const store::RunInfo& there = merged.there;
  if (!merged.conflict.empty()) {
    session.err() << fmt::format(
        "opgate: {}: run {} ({}) is run {} here with other content: {}; nothing of it was changed\n"
        "  fix: find out which of the two histories is right, and keep that one\n",
        file, there.id, there.uuid, merged.here, merged.conflict);
  }
  if (session.json) {
    session.print({{"run", merged.here},
                   {"number_in_file", there.id},
                   {"uuid", there.uuid},
                   {"results", merged.results},
                   {"samples", merged.samples},
                   {"already_imported", merged.known && merged.conflict.empty()},
                   {"conflict", merged.conflict.empty() ? Json(nullptr) : Json(merged.conflict)},
                   {"file", file}});
  } else if (!merged.known && merged.here != there.id) {
    session.out() << fmt::format("run {} became run {}: {}\n", there.id, merged.here, why_renumbered(there.id));
  }
}

// Runs whose number is free here keep it, whatever the runs before them need.
std::vector<store::RunInfo> in_order(const store::History& history, const store::History& other) {
  auto runs = other.runs();
  std::reverse(runs.begin(), runs.end());
  std::stable_partition(runs.begin(), runs.end(), [&](const store::RunInfo& run) { return !history.run(run.id); });
  return runs;
}

}  // namespace

core::ExitCode merge_history(const Session& session, store::History& history, const std::filesystem::path& path,
                             const std::string& file) {
  const store::OtherHistory other(path);
  std::vector<Merged> all;
  const std::vector<store::RunInfo> theirs = in_order(history, other.history());
  const run::Terminal terminal = terminal_of(session);
  Progress progress(session.err(), terminal.progress, terminal.width, "import", theirs.size());
  history.all_or_nothing([&] {
    for (const store::RunInfo& run : theirs) {
      progress.next(fmt::format("run {} of {}", run.id, file));
      all.push_back(merge_run(history, run, results_of(other.history(), run.id, true)));
    }
  });
  progress.hide();
  std::size_t runs = 0;
  std::size_t results = 0;
  std::size_t known = 0;
  std::size_t conflicts = 0;
  std::int64_t samples = 0;
  for (const Merged& merged : all) {
    report(session, merged, file);
    conflicts += merged.conflict.empty() ? 0 : 1;
    known += merged.known && merged.conflict.empty() ? 1 : 0;
    runs += merged.known ? 0 : 1;
    results += merged.results;
    samples += merged.samples;
  }
  if (!session.json) {
    if (known > 0) session.out() << plural(known, "run") << " of it in the history already\n";
    session.out() << fmt::format("imported {}, {}, {} into {}\n", plural(runs, "run"), plural(results, "result"),
                                 plural(static_cast<std::size_t>(samples), "sample"), history.path().string());
  }
  return conflicts > 0 ? core::ExitCode::cannot_run : core::ExitCode::pass;
}

}  // namespace opgate::app
