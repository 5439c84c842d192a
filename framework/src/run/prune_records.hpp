#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <set>
#include <vector>

#include "run/kept_records.hpp"
#include "store/history.hpp"

namespace opgate::run {

// The records and the timeline that a case's failure left beside the history.
struct KeptOfCase {
  KeptRecords files;
  std::optional<std::int64_t> run_id{};  // of the result they explain; absent: it is gone
  bool young = false;                    // perhaps of a case that is about to store its result
  // A case that runs meanwhile may replace them. Absent: there is no such file.
  std::optional<std::filesystem::file_time_type> trace_written{};
  std::optional<std::filesystem::file_time_type> timeline_written{};
};

struct PrunedRecords {
  std::int64_t cases = 0;
  std::int64_t bytes = 0;
};

// Another history that leaves its timelines in the same folder, such as a copy history.bak of history.sqlite: which of
// the two they belong to cannot be told.
[[nodiscard]] std::optional<std::filesystem::path> sharer_of_records(const std::filesystem::path& history);

// Their folder, where it is a symbolic link: what lies behind it is nobody's to remove.
[[nodiscard]] std::optional<std::filesystem::path> linked_folder_of_records(const std::filesystem::path& history);

// All that lie beside the history, before runs are dropped from it; none where their folder is shared or a link.
// Records that cannot be read (of a newer opgate, say) count as those of the case's newest result.
[[nodiscard]] std::vector<KeptOfCase> kept_of_cases(const store::History& history, std::int64_t now_unix_ms);

// Removes those whose run was dropped or whose result is gone, unless they were replaced since; a dry run only counts
// them. Error(io).
[[nodiscard]] PrunedRecords prune_records(const std::vector<KeptOfCase>& kept,
                                          const std::set<std::int64_t>& dropped_runs, bool dry_run);

}  // namespace opgate::run
