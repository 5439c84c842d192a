#include "store/run_rows.hpp"

#include <fmt/format.h>

#include <random>

#include "store/damage.hpp"
#include "store/interned.hpp"
#include "store/seal.hpp"

namespace opgate::store {
namespace {

std::string random_uuid() {  // RFC 9562, version 4
  std::random_device random;
  std::string uuid;
  for (int i = 0; i < 16; ++i) {
    unsigned byte = random() & 0xffU;
    byte = i == 6 ? (byte & 0x0fU) | 0x40U : i == 8 ? (byte & 0x3fU) | 0x80U : byte;
    uuid += fmt::format("{}{:02x}", i == 4 || i == 6 || i == 8 || i == 10 ? "-" : "", byte);
  }
  return uuid;
}

std::vector<std::string> selection_of(Connection& connection, std::int64_t run_id) {
  Query query = connection.query(
      "SELECT cases.name FROM selections CROSS JOIN cases ON cases.id = selections.case_id"
      " WHERE selections.run_id = ?1 ORDER BY selections.position");
  query.bind(run_id);
  std::vector<std::string> names;
  while (query.step()) {
    names.push_back(query.text(0));
  }
  return names;
}

}  // namespace

void require_run(Connection& connection, std::int64_t run_id) {
  if (!connection.query("SELECT 1 FROM runs WHERE id = ?1").bind(run_id).step()) {
    throw Error(ErrorKind::history, fmt::format("there is no run {}", run_id), {},
                "name a run that `opgate runs` lists");
  }
}

std::int64_t insert_run(Connection& connection, const RunInfo& run) {
  const std::string uuid = run.uuid.empty() ? random_uuid() : run.uuid;
  if (const auto present = run_id_of(connection, uuid)) {
    throw Error(ErrorKind::history, fmt::format("run {} is already there as number {}", uuid, *present), {},
                "open a run under another UUID");
  }
  const bool keep_number = run.id > 0 && run.id <= kHighestKeptRun &&
                           !connection.query("SELECT 1 FROM runs WHERE id = ?1").bind(run.id).step();
  connection
      .query(
          "INSERT INTO runs (id, uuid, origin, started_unix_ms, closed_unix_ms, host, source_commit, dirty, replayed,"
          " label, options) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)")
      .bind(keep_number ? std::optional(run.id) : std::nullopt)
      .bind(uuid)
      .bind(run.origin)
      .bind(run.started_unix_ms)
      .bind(run.closed_unix_ms)
      .bind(run.host)
      .bind(run.commit)
      .bind(std::int64_t{run.dirty ? 1 : 0})
      .bind(std::int64_t{run.replayed ? 1 : 0})
      .bind(run.label)
      .bind(run.options)
      .run();
  const std::int64_t id = connection.last_id();
  insert_selection(connection, id, run.selected);
  return id;
}

void insert_selection(Connection& connection, std::int64_t run_id, const std::vector<std::string>& case_names) {
  check_run(connection, run_id);
  std::int64_t position = 0;
  {
    Query last = connection.query("SELECT max(position) FROM selections WHERE run_id = ?1");
    position = last.bind(run_id).step() && !last.is_null(0) ? last.integer(0) + 1 : 0;
  }
  for (const std::string& name : case_names) {
    connection.query("INSERT OR IGNORE INTO selections (run_id, case_id, position) VALUES (?1, ?2, ?3)")
        .bind(run_id)
        .bind(case_id(connection, name))
        .bind(position++)
        .run();
  }
  seal_run(connection, run_id);
}

void mark_closed(Connection& connection, std::int64_t run_id, std::int64_t closed_unix_ms) {
  check_run(connection, run_id);
  connection.query("UPDATE runs SET closed_unix_ms = ?2 WHERE id = ?1").bind(run_id).bind(closed_unix_ms).run();
  seal_run(connection, run_id);
}

std::optional<std::int64_t> run_id_of(Connection& connection, const std::string& uuid) {
  Query query = connection.query("SELECT id FROM runs WHERE uuid = ?1");
  if (query.bind(uuid).step()) return query.integer(0);
  if (connection.query("SELECT 1 FROM runs NOT INDEXED WHERE uuid = ?1").bind(uuid).step()) {
    throw damage(fmt::format("an index does not lead to run {}", uuid));
  }
  return std::nullopt;
}

std::optional<RunInfo> run_row(Connection& connection, std::int64_t run_id) {
  Query query = connection.query(
      "SELECT uuid, origin, started_unix_ms, closed_unix_ms, host, source_commit, dirty, replayed, label, options"
      " FROM runs WHERE id = ?1");
  if (!query.bind(run_id).step()) {
    if (connection.query("SELECT 1 FROM results WHERE run_id = ?1").bind(run_id).step()) {
      throw damage(fmt::format("run {} has results and is missing", run_id));
    }
    return std::nullopt;
  }
  check_run(connection, run_id);
  Query indexed = connection.query("SELECT id FROM runs WHERE uuid = ?1");
  if (!indexed.bind(query.text(0)).step() || indexed.integer(0) != run_id) {
    throw damage(fmt::format("run {} is not what its index says", run_id));
  }
  return RunInfo{.id = run_id,
                 .uuid = query.text(0),
                 .origin = query.text(1),
                 .started_unix_ms = query.integer(2),
                 .closed_unix_ms = query.optional_integer(3),
                 .host = query.text(4),
                 .commit = query.text(5),
                 .dirty = query.integer(6) != 0,
                 .replayed = query.integer(7) != 0,
                 .label = query.text(8),
                 .options = query.text(9),
                 .selected = selection_of(connection, run_id)};
}

std::vector<RunInfo> run_rows(Connection& connection, std::int64_t limit) {
  // Counts pages' cells, of the table and of its index.
  Query counts = connection.query("SELECT (SELECT count(*) FROM runs NOT INDEXED), (SELECT count(*) FROM runs)");
  if (!counts.step() || counts.integer(0) != counts.integer(1)) throw damage("the runs and their index differ");
  Query query = connection.query("SELECT id FROM runs ORDER BY id DESC LIMIT ?1");
  query.bind(limit);
  std::vector<RunInfo> runs;
  while (query.step()) {
    if (auto run = run_row(connection, query.integer(0))) {
      runs.push_back(std::move(*run));
    }
  }
  return runs;
}

}  // namespace opgate::store
