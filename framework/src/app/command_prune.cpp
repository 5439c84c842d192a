#include <fmt/format.h>

#include <charconv>
#include <filesystem>
#include <memory>
#include <system_error>

#include "app/command_files.hpp"
#include "app/command_result.hpp"
#include "app/command_table.hpp"
#include "app/command_text.hpp"
#include "opgate/error.hpp"
#include "run/prune_records.hpp"
#include "run/wall_clock.hpp"
#include "store/baseline_file.hpp"
#include "store/prune.hpp"

namespace opgate::app {

namespace {

struct Words {
  std::string keep_samples;
  std::string keep_runs;
  bool dry_run = false;
  bool vacuum = false;
};

constexpr std::int64_t kMost = 1'000'000;

// "30" runs or "30d" days.
std::optional<store::Age> age_of(const std::string& word, const char* option) {
  if (word.empty()) return std::nullopt;
  const bool days = word.ends_with('d');
  std::int64_t number = 0;
  const char* const last = word.data() + word.size() - (days ? 1 : 0);
  const auto [end, problem] = std::from_chars(word.data(), last, number);
  if (problem != std::errc() || end != last || number < 1 || number > kMost) {
    throw Error(ErrorKind::usage, "'" + word + "' is neither a number of runs nor of days", option,
                "write e.g. 30 for the newest 30 runs, or 30d for those of 30 days");
  }
  return days ? store::Age{.runs = 0, .days = number} : store::Age{.runs = number, .days = std::nullopt};
}

// All that any baseline rests on. Without the baselines nobody could tell which runs these are.
std::set<std::string> runs_of_baselines(const Session& session, bool drops_runs) {
  const std::filesystem::path folder = session.baselines_path();
  std::error_code ignored;
  if (drops_runs && !std::filesystem::is_directory(folder, ignored)) {
    throw Error(ErrorKind::usage, "there is no folder of baselines, so the runs that they rest on are unknown",
                folder.string(), "name it with --baselines (an empty folder, if there are none), or keep the runs");
  }
  std::set<std::string> uuids;
  for (const std::filesystem::path& path : baseline_files(folder)) {
    const auto file = store::load_baseline_file(path);
    if (!file) continue;
    for (const auto& [name, entry] : file->cases) {
      uuids.insert(entry.accepted.run_uuids.begin(), entry.accepted.run_uuids.end());
    }
  }
  return uuids;
}

std::string size_text(std::int64_t bytes) {
  const auto value = static_cast<double>(bytes);
  return bytes < 1'000'000
             ? fmt::format("{:.1f} kB", value / 1e3)
             : (bytes < 1'000'000'000 ? fmt::format("{:.1f} MB", value / 1e6) : fmt::format("{:.2f} GB", value / 1e9));
}

std::string counted(std::int64_t count, const char* what) {
  return plural(static_cast<std::size_t>(count), what);
}

// Why no timeline goes; empty where they may.
std::string why_kept(const std::optional<std::filesystem::path>& sharer,
                     const std::optional<std::filesystem::path>& link) {
  if (sharer) return sharer->string() + " may have left them in the same folder";
  return link ? link->string() + " is a symbolic link" : "";
}

void tell(const Session& session, const store::Pruned& done, const run::PrunedRecords& records,
          const std::string& why_kept, const store::PruneRequest& request) {
  const char* const dropped = request.dry_run ? "would drop" : "dropped";
  session.out() << fmt::format("{} {} with {}\n", dropped, counted(done.runs, "run"), counted(done.results, "result"));
  session.out() << fmt::format("{} the samples of {}: {}, {}; results and verdicts stay\n", dropped,
                               counted(done.sample_runs, "run"), counted(done.sample_sets, "set"),
                               size_text(done.sample_bytes));
  if (records.cases > 0) {
    session.out() << fmt::format("{} the timelines of {}, whose results are gone: {}\n", dropped,
                                 counted(records.cases, "case"), size_text(records.bytes));
  }
  if (!why_kept.empty()) session.out() << "kept all timelines, because " << why_kept << '\n';
  if (done.kept_for_baselines > 0) {
    session.out() << fmt::format("kept {} whole, because baselines rest on them\n",
                                 counted(done.kept_for_baselines, "older run"));
  }
  if (done.kept_open > 0) {
    session.out() << fmt::format("kept {} of the last day, because a run that is not closed may still be written\n",
                                 counted(done.kept_open, "older run"));
  }
  session.out() << fmt::format("{}: {}, {} of it free for new results{}\n", session.history_path().string(),
                               size_text(done.file_bytes), size_text(done.free_bytes),
                               done.free_bytes > 0 && !request.vacuum ? "; --vacuum gives it back to the disk" : "");
}

core::ExitCode run_prune(const Session& session, const Words& words) {
  store::PruneRequest request{.keep_samples = age_of(words.keep_samples, "--keep-samples"),
                              .keep_runs = age_of(words.keep_runs, "--keep-runs"),
                              .now_unix_ms = run::unix_ms(),
                              .dry_run = words.dry_run,
                              .vacuum = words.vacuum};
  if (!request.keep_samples && !request.keep_runs && !request.vacuum) {
    throw Error(ErrorKind::usage, "nothing says what may go", "opgate prune",
                "give --keep-samples, --keep-runs or --vacuum");
  }
  // Of a history that exists: prune makes none.
  const auto sharer = run::sharer_of_records(session.history_path());
  const auto link = run::linked_folder_of_records(session.history_path());
  const auto kept = run::kept_of_cases(session.read_history(), request.now_unix_ms);
  request.baseline_runs = runs_of_baselines(session, request.keep_runs.has_value());
  const store::Pruned done = store::prune(session.history_path(), request);
  const run::PrunedRecords records = run::prune_records(kept, done.dropped_runs, request.dry_run);
  if (session.json) {
    session.print({{"history", session.history_path().string()},
                   {"dry_run", request.dry_run},
                   {"runs", done.runs},
                   {"results", done.results},
                   {"sample_runs", done.sample_runs},
                   {"sample_sets", done.sample_sets},
                   {"sample_bytes", done.sample_bytes},
                   {"timeline_cases", records.cases},
                   {"timeline_bytes", records.bytes},
                   {"timelines_shared_with", sharer ? Json(sharer->string()) : Json(nullptr)},
                   {"timelines_link", link ? Json(link->string()) : Json(nullptr)},
                   {"kept_for_baselines", done.kept_for_baselines},
                   {"kept_open", done.kept_open},
                   {"file_bytes", done.file_bytes},
                   {"free_bytes", done.free_bytes}});
  } else {
    tell(session, done, records, why_kept(sharer, link), request);
  }
  return core::ExitCode::pass;
}

}  // namespace

void add_prune(Command app, Session& session) {
  auto words = std::make_shared<Words>();
  Command prune = app.subcommand(
      "prune", "Drop samples, or whole runs, that are old, and timelines whose result is gone; verdicts stay");
  prune
      .option("--keep-samples", words->keep_samples,
              "Keep the samples of the newest N runs, or of N days with Nd; older results keep their figures")
      .type_name("N|Nd");
  prune
      .option("--keep-runs", words->keep_runs,
              "Keep the newest N runs, or those of N days; runs that a baseline rests on stay")
      .type_name("N|Nd");
  prune.flag("--dry-run", words->dry_run, "Only say what would go");
  prune.flag("--vacuum", words->vacuum, "Give free space back to the disk; nobody can write meanwhile");
  prune.callback([words, &session] { session.action = [words, &session] { return run_prune(session, *words); }; });
}

}  // namespace opgate::app
