#include "run/prune_records.hpp"

#include <algorithm>
#include <chrono>
#include <string>
#include <string_view>
#include <system_error>

#include "collect/trace.hpp"
#include "opgate/error.hpp"
#include "run/trace_files.hpp"
#include "store/prune.hpp"

namespace opgate::run {
namespace {

namespace fs = std::filesystem;

// Nothing else in the folder is opgate's to remove: no link, no half-written file, nothing that a person put there.
std::set<std::string> cases_in(const fs::path& folder) {
  std::set<std::string> cases;
  std::error_code problem;
  fs::directory_iterator entries(folder, problem);
  if (problem == std::errc::no_such_file_or_directory) return cases;
  for (; !problem && entries != fs::directory_iterator(); entries.increment(problem)) {
    std::error_code gone;
    if (entries->symlink_status(gone).type() != fs::file_type::regular) continue;
    const std::string name = entries->path().filename().string();
    for (const std::string_view suffix : {kTraceSuffix, ".json"}) {
      if (name.size() > suffix.size() && name.ends_with(suffix) && !name.starts_with('.')) {
        cases.insert(name.substr(0, name.size() - suffix.size()));
        break;
      }
    }
  }
  if (problem) {
    throw Error(ErrorKind::io, "cannot read the folder: " + problem.message(), folder.string(),
                "make it readable, and prune again");
  }
  return cases;
}

std::optional<std::int64_t> recorded(const fs::path& trace) {
  try {
    return collect::recorded_unix_ms(trace);
  } catch (const Error&) {
    return std::nullopt;
  }
}

bool written_after(const fs::path& path, std::int64_t unix_ms) {
  std::error_code problem;
  const auto written = fs::last_write_time(path, problem);
  const auto since = std::chrono::file_clock::to_sys(written).time_since_epoch();
  return !problem && std::chrono::duration_cast<std::chrono::milliseconds>(since).count() > unix_ms;
}

std::optional<std::int64_t> run_of(const std::vector<store::CaseResult>& results, const fs::path& trace) {
  const std::optional<std::int64_t> at_ms = recorded(trace);
  const auto found = std::find_if(results.begin(), results.end(), [&](const store::CaseResult& result) {
    return !at_ms || recorded_in(result, *at_ms);  // the newest first
  });
  return found == results.end() ? std::nullopt : std::optional(found->run_id);
}

// How much it took, in bytes; nothing where there is no such file.
std::int64_t remove(const fs::path& path, bool dry_run) {
  std::error_code problem;
  if (fs::symlink_status(path, problem).type() != fs::file_type::regular) return 0;
  const auto bytes = static_cast<std::int64_t>(fs::file_size(path, problem));
  if (!problem && !dry_run) fs::remove(path, problem);
  if (problem) {
    throw Error(ErrorKind::io, "cannot remove the file: " + problem.message(), path.string(),
                "make its folder writable, and prune again");
  }
  return bytes;
}

}  // namespace

std::vector<KeptOfCase> kept_of_cases(const store::History& history, std::int64_t now_unix_ms) {
  std::vector<KeptOfCase> all;
  for (const std::string& name : cases_in(kept_records(history.path(), "").trace.parent_path())) {
    const auto results = history.results({.case_name = name, .with_samples = false});
    KeptOfCase kept{.files = kept_records(history.path(), name)};
    kept.run_id = run_of(results, kept.files.trace);
    const std::int64_t open_since = now_unix_ms - store::kOpenForMs;
    kept.young = written_after(kept.files.trace, open_since) || written_after(kept.files.timeline, open_since);
    all.push_back(std::move(kept));
  }
  return all;
}

PrunedRecords prune_records(const std::vector<KeptOfCase>& kept, const std::set<std::int64_t>& dropped_runs,
                            bool dry_run) {
  PrunedRecords pruned;
  for (const KeptOfCase& one : kept) {
    const bool goes = one.run_id ? dropped_runs.contains(*one.run_id) : !one.young;
    if (!goes) continue;
    ++pruned.cases;
    pruned.bytes += remove(one.files.trace, dry_run) + remove(one.files.timeline, dry_run);
  }
  return pruned;
}

}  // namespace opgate::run
