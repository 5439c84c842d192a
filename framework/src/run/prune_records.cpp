#include "run/prune_records.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <fstream>
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

constexpr std::string_view kTimelineHead = "{\"displayTimeUnit\":\"ns\",\"otherData\":{";
constexpr std::string_view kHistoryHead("SQLite format 3\0", 16);

bool begins_with(const fs::path& path, std::string_view head) {
  std::string read(head.size(), '\0');
  std::ifstream file(path, std::ios::binary);
  return file.read(read.data(), static_cast<std::streamsize>(read.size())) && read == head;
}

std::error_code list(const fs::path& folder, const auto& take) {
  std::error_code problem;
  fs::directory_iterator entries(folder, problem);
  for (; !problem && entries != fs::directory_iterator(); entries.increment(problem)) take(*entries);
  return problem;
}

// Nothing else in the folder is opgate's to remove: no link, no half-written file, nothing that a person put there.
std::set<std::string> cases_in(const fs::path& folder) {
  std::set<std::string> cases;
  const std::error_code problem = list(folder, [&cases](const fs::directory_entry& entry) {
    std::error_code gone;
    const std::string name = entry.path().filename().string();
    if (entry.symlink_status(gone).type() != fs::file_type::regular || name.starts_with('.')) return;
    const std::string_view suffix = name.ends_with(kTraceSuffix) ? kTraceSuffix : ".json";
    if (name.size() <= suffix.size() || !name.ends_with(suffix)) return;
    if (suffix == kTraceSuffix || begins_with(entry.path(), kTimelineHead)) {
      cases.insert(name.substr(0, name.size() - suffix.size()));
    }
  });
  if (problem && problem != std::errc::no_such_file_or_directory) {
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

std::optional<fs::file_time_type> written(const fs::path& path) {
  std::error_code problem;
  const auto time = fs::last_write_time(path, problem);
  return problem ? std::nullopt : std::optional(time);
}

bool is_after(const std::optional<fs::file_time_type>& time, std::int64_t unix_ms) {
  if (!time) return false;
  const auto since = std::chrono::file_clock::to_sys(*time).time_since_epoch();
  return std::chrono::duration_cast<std::chrono::milliseconds>(since).count() > unix_ms;
}

// Mostly of one of the newest results, and a case may have thousands.
std::optional<std::int64_t> run_of(const store::History& history, const std::string& name, const fs::path& trace) {
  const std::optional<std::int64_t> at_ms = recorded(trace);
  for (const std::int64_t limit : std::array<std::int64_t, 3>{1, 50, -1}) {
    const auto results = history.results({.case_name = name, .limit = limit, .with_samples = false});
    const auto found = std::find_if(results.begin(), results.end(), [&](const store::CaseResult& result) {
      return !at_ms || recorded_in(result, *at_ms);
    });
    if (found != results.end()) return found->run_id;
    if (static_cast<std::int64_t>(results.size()) < limit) break;
  }
  return std::nullopt;
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

std::optional<fs::path> sharer_of_records(const fs::path& history) {
  const fs::path folder = kept_records(history, "").trace.parent_path();
  std::optional<fs::path> sharer;
  static_cast<void>(list(fs::absolute(history).parent_path(), [&](const fs::directory_entry& entry) {
    const fs::path other = history.parent_path() / entry.path().filename();
    std::error_code gone;
    if (other != history && kept_records(other, "").trace.parent_path() == folder && entry.is_regular_file(gone) &&
        begins_with(entry.path(), kHistoryHead)) {
      sharer = other;
    }
  }));
  return sharer;
}

std::optional<fs::path> linked_folder_of_records(const fs::path& history) {
  const fs::path folder = kept_records(history, "").trace.parent_path();
  std::error_code problem;
  return fs::symlink_status(folder, problem).type() == fs::file_type::symlink ? std::optional(folder) : std::nullopt;
}

std::vector<KeptOfCase> kept_of_cases(const store::History& history, std::int64_t now_unix_ms) {
  std::vector<KeptOfCase> all;
  if (sharer_of_records(history.path()) || linked_folder_of_records(history.path())) return all;
  for (const std::string& name : cases_in(kept_records(history.path(), "").trace.parent_path())) {
    KeptOfCase kept{.files = kept_records(history.path(), name)};
    kept.trace_written = written(kept.files.trace);
    kept.timeline_written = written(kept.files.timeline);
    kept.run_id = run_of(history, name, kept.files.trace);
    const std::int64_t open_since = now_unix_ms - store::kOpenForMs;
    kept.young = is_after(kept.trace_written, open_since) || is_after(kept.timeline_written, open_since);
    all.push_back(std::move(kept));
  }
  return all;
}

PrunedRecords prune_records(const std::vector<KeptOfCase>& kept, const std::set<std::int64_t>& dropped_runs,
                            bool dry_run) {
  PrunedRecords pruned;
  for (const KeptOfCase& one : kept) {
    const bool goes = one.run_id ? dropped_runs.contains(*one.run_id) : !one.young;
    const bool replaced =
        written(one.files.trace) != one.trace_written || written(one.files.timeline) != one.timeline_written;
    if (!goes || replaced) continue;
    ++pruned.cases;
    pruned.bytes += remove(one.files.trace, dry_run) + remove(one.files.timeline, dry_run);
  }
  return pruned;
}

}  // namespace opgate::run
