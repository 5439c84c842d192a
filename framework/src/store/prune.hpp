#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <set>
#include <string>

namespace opgate::store {

// What is young enough to stay: the newest runs, and runs that began so many days before the newest one (or before now,
// where the newest claims to come from the future).
struct Age {
  std::int64_t runs = 0;
  std::optional<std::int64_t> days;  // instead of runs
};

struct PruneRequest {
  std::optional<Age> keep_samples{};      // absent: all samples stay
  std::optional<Age> keep_runs{};         // absent: all runs stay
  std::set<std::string> baseline_runs{};  // UUIDs; they stay whole, whatever their age
  std::int64_t now_unix_ms = 0;
  bool dry_run = false;
  bool vacuum = false;
};

struct Pruned {
  std::int64_t runs = 0;  // dropped, and their results
  std::set<std::int64_t> dropped_runs{};
  std::int64_t results = 0;
  std::int64_t sample_runs = 0;  // runs that lost their samples, without those dropped
  std::int64_t sample_sets = 0;  // of one implementation each
  std::int64_t sample_bytes = 0;
  std::int64_t kept_for_baselines = 0;  // runs old enough, but a baseline rests on them
  std::int64_t kept_open = 0;           // runs old enough, but perhaps still being written
  std::int64_t file_bytes = 0;
  std::int64_t free_bytes = 0;  // inside the file, for new results
};

// A run that was never closed counts as being written for this long.
inline constexpr std::int64_t kOpenForMs = 86'400'000;

// One short transaction per run, so that writers wait for none longer than for each other; what is done when it is
// interrupted stays done, and the next call does the rest. Every result and verdict stays, with the figures of its
// samples, unless its whole run is dropped. `vacuum` gives free space back to the disk, and keeps everybody out
// meanwhile.
[[nodiscard]] Pruned prune(const std::filesystem::path& history, const PruneRequest& request);

}  // namespace opgate::store
