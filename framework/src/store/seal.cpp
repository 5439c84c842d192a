#include "store/seal.hpp"

#include <fmt/format.h>

#include <array>
#include <optional>
#include <span>
#include <string>

#include "store/crc32.hpp"
#include "store/damage.hpp"

namespace opgate::store {
namespace {

// CROSS JOIN keeps SQLite from starting at another table.
constexpr std::array kOfResult{
    "SELECT runs.uuid, r.case_id = n.case_id, c.name, n.content, rule.content, labels.content,"
    " r.times_recorded, r.exit_code, r.verdict, r.metric, r.baseline_ns, r.measured_ns, r.change_pct, r.threshold_pct,"
    " r.detectable_pct, m.reason, m.notes, m.origin_change_pct, m.subtick_change_pct, m.waiver"
    " FROM results r CROSS JOIN runs ON runs.id = r.run_id CROSS JOIN identities n ON n.id = r.identity_id"
    " CROSS JOIN cases c ON c.id = n.case_id CROSS JOIN texts rule ON rule.id = r.rule_id"
    " CROSS JOIN texts labels ON labels.id = r.labels_id LEFT JOIN remarks m ON m.result_id = r.id WHERE r.id = ?1",
    "SELECT a.number, a.purpose, a.status, a.error, a.replayed, a.started_unix_ms, a.wall_ns, a.phase, a.message,"
    " a.detail, d.name, d.uuid, d.driver, d.cuda, d.cupti, d.device_index, d.sm_count, d.l2_bytes, d.memory_bytes,"
    " d.compute_capability, d.max_sm_mhz, d.tick_ns"
    " FROM attempts a CROSS JOIN devices d ON d.id = a.device_id WHERE a.result_id = ?1 ORDER BY a.number",
    "SELECT a.number, i.position, i.name, i.protocol, i.timing, i.flush, i.launch, i.launch_reason, i.pacing, i.device,"
    " i.warmup_iterations, i.iterations_asked, i.retries, i.samples, i.busy_median_ns, i.busy_p10_ns, i.busy_p90_ns,"
    " i.busy_trimmed_mean_ns, i.work_median_ns, i.latency_median_ns, i.gap_median_ns, i.queued_latency_median_ns,"
    " i.device_gap_median_ns, i.sm_mhz_median, i.busy_cycles_median, i.n_kernels, i.pass_medians_ns, i.imported,"
    " kernels.content, k.content, EXISTS (SELECT 1 FROM samples s WHERE s.implementation_id = i.id)"
    " FROM attempts a CROSS JOIN implementations i ON i.attempt_id = a.id CROSS JOIN texts kernels"
    " ON kernels.id = i.kernels_id LEFT JOIN kept_groups k ON k.implementation_id = i.id WHERE a.result_id = ?1"
    " ORDER BY a.number, i.position"};

constexpr std::array kOfRun{
    "SELECT uuid, origin, started_unix_ms, closed_unix_ms, host, source_commit, dirty, replayed, label, options FROM"
    " runs WHERE id = ?1",
    "SELECT s.position, c.name FROM selections s CROSS JOIN cases c ON c.id = s.case_id WHERE s.run_id = ?1"
    " ORDER BY s.position"};

std::int64_t checksum_of(Connection& connection, std::span<const char* const> values, std::int64_t id) {
  std::uint32_t checksum = 0;
  const auto add = [&](const std::string& bytes) {
    checksum = crc32(std::as_bytes(std::span(bytes.data(), bytes.size())), checksum);
  };
  for (const char* const sql : values) {
    Query query = connection.query(sql);
    query.bind(id);
    while (query.step()) add(query.row_bytes());
    add("end");
  }
  return checksum;
}

// `find` gives the checksum that was stored; there may be none.
bool is_sealed_otherwise(Connection& connection, const char* find, std::span<const char* const> values,
                         std::int64_t id) {
  std::optional<std::int64_t> sealed;
  {
    Query query = connection.query(find);
    if (query.bind(id).step()) sealed = query.integer(0);
  }
  return sealed && *sealed != checksum_of(connection, values, id);
}

// `keep` stores it.
void seal(Connection& connection, const char* keep, std::span<const char* const> values, std::int64_t id) {
  connection.query(keep).bind(id).bind(checksum_of(connection, values, id)).run();
}

Error broken(const std::string& what) {
  return damage(fmt::format("{} is not what was stored (wrong checksum)", what));
}

std::string name_of_result(Connection& connection, std::int64_t result_id) {
  Query query =
      connection.query("SELECT r.run_id, c.name FROM results r JOIN cases c ON c.id = r.case_id WHERE r.id = ?1");
  return query.bind(result_id).step() ? fmt::format("{} in run {}", query.text(1), query.integer(0))
                                      : fmt::format("result {}", result_id);
}

}  // namespace

void seal_result(Connection& connection, std::int64_t result_id) {
  seal(connection, "INSERT OR REPLACE INTO seals (result_id, checksum) VALUES (?1, ?2)", kOfResult, result_id);
}

void check_result(Connection& connection, std::int64_t result_id) {
  if (is_sealed_otherwise(connection, "SELECT checksum FROM seals WHERE result_id = ?1", kOfResult, result_id)) {
    throw broken(name_of_result(connection, result_id));
  }
}

void seal_run(Connection& connection, std::int64_t run_id) {
  seal(connection, "INSERT OR REPLACE INTO run_seals (run_id, checksum) VALUES (?1, ?2)", kOfRun, run_id);
}

void check_run(Connection& connection, std::int64_t run_id) {
  if (is_sealed_otherwise(connection, "SELECT checksum FROM run_seals WHERE run_id = ?1", kOfRun, run_id)) {
    throw broken(fmt::format("run {}", run_id));
  }
}

}  // namespace opgate::store
