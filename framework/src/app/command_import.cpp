#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <set>

#include "app/command_result.hpp"
#include "app/command_table.hpp"
#include "app/command_text.hpp"
#include "exchange/csv.hpp"
#include "run/wall_clock.hpp"
#include "text/file.hpp"

namespace opgate::app {

namespace {

struct Stored {
  std::int64_t id = 0;
  std::size_t results = 0;  // written now; 0: all of it was there already
};

std::vector<std::string> names_of(const std::vector<store::CaseResult>& results) {
  std::vector<std::string> names;
  names.reserve(results.size());
  for (const store::CaseResult& result : results) names.push_back(result.identity.name);
  return names;
}

store::RunInfo run_info(const exchange::ImportedRun& run, const std::string& label, std::int64_t now_ms) {
  store::RunInfo info;
  info.id = run.number;  // kept where it is free
  info.uuid = run.uuid;
  info.origin = "import";
  info.started_unix_ms = now_ms;
  info.closed_unix_ms = now_ms;  // with the opening: a transaction less for each run
  info.label = label;
  info.selected = names_of(run.results);
  return info;
}

// Runs whose number is free come first, so that a run that needs another number does not take theirs. Numbers begin
// at 1.
void put_free_numbers_first(const store::History& history, std::vector<exchange::ImportedRun>& runs) {
  std::stable_partition(runs.begin(), runs.end(), [&](const exchange::ImportedRun& run) {
    return run.number > 0 && run.number <= store::kHighestKeptRun && !history.run(run.number);
  });
}

std::string why_renumbered(std::int64_t number) {
  if (number == 0) return "run numbers begin at 1";
  if (number > store::kHighestKeptRun)
    return fmt::format("the highest number that is kept is {}", store::kHighestKeptRun);
  return "the history has another run of that number";
}

// A run is known by its uuid, which is made from its content. An import that was cut short is completed.
Stored store_run(store::History& history, exchange::ImportedRun& run, const std::string& label, std::int64_t now_ms) {
  Stored stored;
  const auto known = history.run_by_uuid(run.uuid);
  stored.id = known ? known->id : history.open_run(run_info(run, label, now_ms));
  std::vector<store::CaseResult> missing = std::move(run.results);
  if (known) {
    const auto there = names_of(results_of(history, known->id, false));
    const std::set<std::string> have(there.begin(), there.end());
    std::erase_if(missing, [&](const store::CaseResult& result) { return have.contains(result.identity.name); });
  }
  if (!missing.empty()) history.put_results(stored.id, missing);
  if (known && !known->closed_unix_ms) history.close_run(stored.id, now_ms);
  stored.results = missing.size();
  return stored;
}

void report(const Session& session, const exchange::ImportedRun& run, const Stored& stored) {
  if (session.json) {
    session.print({{"run", stored.id},
                   {"number_in_file", run.number},
                   {"uuid", run.uuid},
                   {"results", stored.results},
                   {"samples", stored.results == 0 ? 0 : run.samples},
                   {"already_imported", stored.results == 0}});
  } else if (stored.results == 0) {
    session.out() << fmt::format("run {} is in the history already, as run {}\n", run.number, stored.id);
  } else if (stored.id != run.number) {
    session.out() << fmt::format("run {} became run {}: {}\n", run.number, stored.id, why_renumbered(run.number));
  }
}

core::ExitCode run_import(const Session& session, const std::string& file) {
  const std::int64_t now_ms = run::unix_ms();
  const std::string text = text::read_file(file, ErrorKind::io);
  exchange::ImportedFile imported = exchange::parse_sample_csv(text, file, now_ms);
  store::History history = store::History::open_for_writing(session.history_path());
  const std::string label = "import " + std::filesystem::path(file).filename().string();
  put_free_numbers_first(history, imported.runs);
  std::size_t runs = 0;
  std::size_t results = 0;
  std::int64_t samples = 0;
  for (exchange::ImportedRun& run : imported.runs) {
    const Stored stored = store_run(history, run, label, now_ms);
    runs += stored.results > 0 ? 1 : 0;
    results += stored.results;
    samples += stored.results > 0 ? run.samples : 0;
    report(session, run, stored);
  }
  if (!session.json) {
    session.out() << fmt::format("imported {}, {}, {} into {}\n", plural(runs, "run"), plural(results, "result"),
                                 plural(static_cast<std::size_t>(samples), "sample"), history.path().string());
    if (imported.ignored > 0) {
      session.out() << plural(static_cast<std::size_t>(imported.ignored), "reading") << " of zero or less ignored\n";
    }
  }
  return core::ExitCode::pass;
}

}  // namespace

void add_import(CLI::App& app, Session& session) {
  auto file = std::make_shared<std::string>();
  CLI::App* command =
      app.add_subcommand("import", "Add the runs of a sample CSV to the history; nothing is overwritten");
  command->add_option("FILE", *file, "run,case,iteration,busy_ns,latency_ns,n_kernels,sm_mhz with that header")
      ->required();
  command->callback([file, &session] {
    session.creates_history = true;
    session.action = [file, &session] { return run_import(session, *file); };
  });
}

}  // namespace opgate::app
