#include "store/prune.hpp"

#include <algorithm>
#include <vector>

#include "core/readings.hpp"
#include "store/history.hpp"
#include "store/interned.hpp"
#include "store/kept_rows.hpp"
#include "store/open.hpp"
#include "store/sample_codec.hpp"
#include "store/seal.hpp"
#include "store/transaction.hpp"

namespace opgate::store {
namespace {

constexpr std::int64_t kDayMs = 86'400'000;

struct Run {
  std::int64_t id = 0;
  std::string uuid;
  std::int64_t started_unix_ms = 0;
  bool closed = false;
};

std::vector<Run> all_runs(Connection& connection) {  // newest first
  Query query = connection.query("SELECT id, uuid, started_unix_ms, closed_unix_ms FROM runs ORDER BY id DESC");
  std::vector<Run> runs;
  while (query.step()) {
    runs.push_back({query.integer(0), query.text(1), query.integer(2), !query.is_null(3)});
  }
  return runs;
}

// By number, not by clock, for a count of runs: a clock that went back makes a new run no older.
std::vector<Run> older(const std::vector<Run>& runs, const Age& keep, std::int64_t now_unix_ms) {
  if (runs.empty()) return {};
  std::vector<Run> old;
  const std::int64_t newest = std::min(runs.front().started_unix_ms, now_unix_ms);
  for (std::size_t i = 1; i < runs.size(); ++i) {  // the newest run always stays
    const bool young =
        keep.days ? runs[i].started_unix_ms >= newest - *keep.days * kDayMs : static_cast<std::int64_t>(i) < keep.runs;
    if (!young) old.push_back(runs[i]);
  }
  return old;
}

std::int64_t number(Connection& connection, const char* sql, std::int64_t run_id) {
  Query query = connection.query(sql);
  return query.bind(run_id).step() ? query.integer(0) : 0;
}

constexpr const char* kSamplesOfRun =
    " FROM results r CROSS JOIN attempts a ON a.result_id = r.id CROSS JOIN implementations i ON i.attempt_id = a.id"
    " CROSS JOIN samples s ON s.implementation_id = i.id WHERE r.run_id = ?1";

class Pruning {
 public:
  Pruning(Connection& connection, const PruneRequest& request) : connection_(connection), request_(request) {}

  void drop_runs(const std::vector<Run>& old) {
    for (const Run& run : removable(old, true)) {
      write([&] {
        pruned_.results += number(connection_, "SELECT count(*) FROM results WHERE run_id = ?1", run.id);
        pruned_.runs += number(connection_, "SELECT count(*) FROM runs WHERE id = ?1", run.id);
        if (!request_.dry_run) connection_.query("DELETE FROM runs WHERE id = ?1").bind(run.id).run();
      });
      pruned_.dropped_runs.insert(run.id);
    }
  }

  void drop_samples(const std::vector<Run>& old) {
    const std::set<std::int64_t> with = runs_with_samples();
    for (const Run& run : removable(old, !request_.keep_runs.has_value())) {
      if (!with.contains(run.id) || pruned_.dropped_runs.contains(run.id)) continue;
      ++pruned_.sample_runs;
      write([&] { drop_samples_of(run.id); });
    }
  }

  [[nodiscard]] const Pruned& pruned() const { return pruned_; }

 private:
  template <class Work>
  void write(Work work) {
    Transaction transaction(connection_, request_.dry_run ? Transaction::Kind::read : Transaction::Kind::write);
    work();
    transaction.commit();
  }

  std::vector<Run> removable(const std::vector<Run>& old, bool count) {
    std::vector<Run> runs;
    for (const Run& run : old) {
      const bool being_written = !run.closed && run.started_unix_ms > request_.now_unix_ms - kOpenForMs;
      if (request_.baseline_runs.contains(run.uuid)) {
        pruned_.kept_for_baselines += count ? 1 : 0;
      } else if (being_written) {
        pruned_.kept_open += count ? 1 : 0;
      } else {
        runs.push_back(run);
      }
    }
    return runs;
  }

  // From the samples: there are few where most runs were pruned before.
  std::set<std::int64_t> runs_with_samples() {
    Query query = connection_.query(
        "SELECT DISTINCT r.run_id FROM samples s CROSS JOIN implementations i ON i.id = s.implementation_id"
        " CROSS JOIN attempts a ON a.id = i.attempt_id CROSS JOIN results r ON r.id = a.result_id");
    std::set<std::int64_t> runs;
    while (query.step()) runs.insert(query.integer(0));
    return runs;
  }

  void drop_samples_of(std::int64_t run_id) {
    InternedReader interned(connection_);
    std::vector<std::int64_t> implementations;
    std::set<std::int64_t> results;
    {
      Query query =
          connection_.query(std::string("SELECT i.id, i.kernels_id, s.content, a.device_id, r.id") + kSamplesOfRun);
      query.bind(run_id);
      while (query.step()) {
        const std::int64_t id = query.integer(0);
        pruned_.sample_bytes += static_cast<std::int64_t>(query.blob(2).size());
        implementations.push_back(id);
        if (request_.dry_run) continue;
        // Sealed anew below: damage must not become part of it.
        if (results.insert(query.integer(4)).second) check_result(connection_, query.integer(4));
        keep_groups(id, interned.kernels(query.integer(1)).groups, interned.device(query.integer(3)).tick_ns,
                    query.blob(2));
      }
    }
    pruned_.sample_sets += static_cast<std::int64_t>(implementations.size());
    for (const std::int64_t id : implementations) {
      if (request_.dry_run) break;
      connection_.query("DELETE FROM samples WHERE implementation_id = ?1").bind(id).run();
    }
    for (const std::int64_t result : results) seal_result(connection_, result);
  }

  // Where the columns do not say all that the rule reads: of calls that vary, and of short ones, whose median is
  // interpolated.
  void keep_groups(std::int64_t id, const std::vector<std::string>& names, std::int32_t tick_ns,
                   std::span<const std::byte> content) {
    core::CaseRun run;
    run.samples = decode_samples(content);
    run.group_names = names;
    run.tick_ns = tick_ns;
    core::ImplementationResult named;
    named.kernel_groups = names;
    const auto reading = core::read_run(run);
    const auto kept = kept_figures(connection_, id, named);
    if (reading && kept && kept->groups != reading->groups) put_kept_groups(connection_, id, reading->groups);
  }

  Connection& connection_;
  const PruneRequest& request_;
  Pruned pruned_;
};

}  // namespace

Pruned prune(const std::filesystem::path& history, const PruneRequest& request) {
  const auto connection = request.dry_run ? open_reader(history, kBusyTimeout) : open_writer(history, kBusyTimeout);
  Pruning pruning(*connection, request);
  const std::vector<Run> runs = all_runs(*connection);
  if (request.keep_runs) pruning.drop_runs(older(runs, *request.keep_runs, request.now_unix_ms));
  if (request.keep_samples) pruning.drop_samples(older(runs, *request.keep_samples, request.now_unix_ms));
  if (request.vacuum && !request.dry_run) {
    connection->execute("VACUUM");
    connection->execute("PRAGMA wal_checkpoint(TRUNCATE)");
  }
  Pruned pruned = pruning.pruned();
  const std::int64_t page = connection->pragma("page_size");
  pruned.file_bytes = page * connection->pragma("page_count");
  pruned.free_bytes = page * connection->pragma("freelist_count");
  return pruned;
}

}  // namespace opgate::store
