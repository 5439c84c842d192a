#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "app/command_import.hpp"
#include "app/command_result.hpp"
#include "app/command_text.hpp"
#include "app/progress.hpp"
#include "app/session_terminal.hpp"

namespace opgate::app {

namespace {

struct Stored {
  std::int64_t id = 0;
  std::size_t results = 0;  // written now; 0: all of it was there already
  std::string endings;      // how they ended
};

std::vector<std::string> names_of(const std::vector<store::CaseResult>& results) {
  std::vector<std::string> names;
  names.reserve(results.size());
  for (const store::CaseResult& result : results) names.push_back(result.identity.name);
  return names;
}

// Runs whose number is free come first, so that a run that needs another number does not take theirs. Numbers begin
// at 1.
void put_free_numbers_first(const store::History& history, std::vector<exchange::ImportedRun>& runs) {
  std::stable_partition(runs.begin(), runs.end(), [&](const exchange::ImportedRun& run) {
    return run.info.id > 0 && run.info.id <= store::kHighestKeptRun && !history.run(run.info.id);
  });
}

// "3 measured, 1 skipped"
std::string endings_of(const std::vector<store::CaseResult>& results) {
  std::map<std::string, std::size_t> counts;
  for (const store::CaseResult& result : results) ++counts[core::to_string(result.attempts.back().status)];
  std::vector<std::string> words;
  words.reserve(counts.size());
  for (const auto& [ending, count] : counts) words.push_back(fmt::format("{} {}", count, ending));
  return joined(words);
}

// A run is known by its uuid, which is made from its content. An import that was cut short is completed.
Stored store_run(store::History& history, exchange::ImportedRun& run) {
  Stored stored;
  const auto known = history.run_by_uuid(run.info.uuid);
  stored.id = known ? known->id : history.open_run(run.info);
  std::vector<store::CaseResult> missing = std::move(run.results);
  if (known) {
    const auto there = names_of(results_of(history, known->id, false));
    const std::set<std::string> have(there.begin(), there.end());
    std::erase_if(missing, [&](const store::CaseResult& result) { return have.contains(result.identity.name); });
  }
  if (!missing.empty()) history.put_results(stored.id, missing);
  stored.endings = endings_of(missing);
  if (known && !known->closed_unix_ms) {
    history.close_run(stored.id, run.info.closed_unix_ms.value_or(run.info.started_unix_ms));
  }
  stored.results = missing.size();
  return stored;
}

void report(const Session& session, const exchange::ImportedRun& run, const Stored& stored, const std::string& file) {
  const std::int64_t number = run.info.id;
  if (session.json) {
    session.print({{"run", stored.id},
                   {"number_in_file", run.numbered ? Json(number) : Json(nullptr)},
                   {"uuid", run.info.uuid},
                   {"results", stored.results},
                   {"samples", stored.results == 0 ? 0 : run.samples},
                   {"already_imported", stored.results == 0},
                   {"file", file}});
  } else if (stored.results == 0) {
    session.out() << (run.numbered ? fmt::format("run {}", number) : "the run of " + file)
                  << fmt::format(" is in the history already, as run {}\n", stored.id);
  } else if (run.numbered && stored.id != number) {
    session.out() << fmt::format("run {} became run {}: {}\n", number, stored.id, why_renumbered(number));
  } else if (!run.numbered) {
    session.out() << fmt::format("run {}: {}\n", stored.id, stored.endings);
  }
}

}  // namespace

std::string why_renumbered(std::int64_t number) {
  if (number == 0) return "run numbers begin at 1";
  if (number > store::kHighestKeptRun)
    return fmt::format("the highest number that is kept is {}", store::kHighestKeptRun);
  return "the history has another run of that number";
}

core::ExitCode store_imported(const Session& session, store::History& history, exchange::ImportedFile imported,
                              const std::string& file) {
  const run::Terminal terminal = terminal_of(session);
  Progress progress(session.err(), terminal.progress, terminal.width, "import", imported.runs.size());
  std::vector<Stored> all;
  history.all_or_nothing([&] {
    put_free_numbers_first(history, imported.runs);
    for (exchange::ImportedRun& run : imported.runs) {
      progress.next(run.numbered ? fmt::format("run {} of {}", run.info.id, file) : file);
      all.push_back(store_run(history, run));
    }
  });
  progress.hide();
  std::size_t runs = 0;
  std::size_t results = 0;
  std::int64_t samples = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const exchange::ImportedRun& run = imported.runs[i];
    runs += all[i].results > 0 ? 1 : 0;
    results += all[i].results;
    samples += all[i].results > 0 ? run.samples : 0;
    report(session, run, all[i], file);
  }
  if (session.json) return core::ExitCode::pass;
  session.out() << fmt::format("imported {}, {}, {} into {}\n", plural(runs, "run"), plural(results, "result"),
                               plural(static_cast<std::size_t>(samples), "sample"), history.path().string());
  if (imported.ignored > 0) {
    session.out() << plural(static_cast<std::size_t>(imported.ignored), "reading") << " of zero or less ignored\n";
  }
  for (const std::string& note : imported.notes) session.out() << "note: " << note << '\n';
  return core::ExitCode::pass;
}

}  // namespace opgate::app
