#include "store/case_series_rows.hpp"

#include <utility>

#include "store/attempt_rows.hpp"
#include "store/conditions.hpp"
#include "store/interned.hpp"
#include "store/kept_rows.hpp"
#include "store/names.hpp"
#include "store/sample_codec.hpp"

namespace opgate::store {
namespace {

constexpr const char* kSelect =
    "SELECT s.run_id, u.started_unix_ms, u.source_commit, u.dirty, u.replayed, s.identity_id, s.exit_code, s.verdict,"
    " s.change_pct, s.last_status, s.device_id, s.replayed, s.implementation_id, coalesce(s.protocol, 'opgate-1'),"
    " coalesce(s.timing, 'cupti'), coalesce(s.flush, 'read'), coalesce(s.launch, 'queued'), s.busy_median_ns,"
    " s.busy_p10_ns, s.busy_p90_ns, s.sm_mhz_median, s.kernels_id, s.imported, s.metric,"
    " s.baseline_ns, s.threshold_pct, s.waived, s.pacing"
    " FROM series s CROSS JOIN runs u ON u.id = s.run_id"
    " WHERE s.case_id = ?1 AND s.run_id <= ?3 ORDER BY s.run_id DESC LIMIT ?2";

// Groups have no figures of their own beside the samples, until these are pruned.
std::vector<core::GroupReading> groups_of(Connection& connection, std::int64_t implementation_id,
                                          const std::vector<std::string>& names) {
  Query query = connection.query("SELECT content FROM samples WHERE implementation_id = ?1");
  if (!query.bind(implementation_id).step()) {
    return kept_groups(connection, implementation_id);
  }
  core::CaseRun run;
  run.samples = decode_samples(query.blob(0));
  run.group_names = names;
  auto reading = core::read_run(run);
  return reading ? std::move(reading->groups) : std::vector<core::GroupReading>{};
}

StoredReading reading_of(Connection& connection, InternedReader& interned, const Query& row) {
  const core::DeviceIdentity& device = interned.device(row.integer(10));
  core::ImplementationResult how;
  take_method(row, 13, 22, how);
  how.measurement.pacing = row.real(27);
  StoredReading reading{.conditions = conditions_of(device, how),
                        .unit = device.uuid,
                        .tick_ns = device.tick_ns,
                        .max_sm_mhz = device.max_sm_mhz,
                        .median_ns = row.real(17),
                        .p10_ns = row.optional_real(18),
                        .p90_ns = row.optional_real(19),
                        .sm_mhz = row.optional_real(20),
                        .cycles = {},
                        .groups = {},
                        .imported = how.imported.has_value()};
  // Of an imported summary the clock was not read around every reading: it corrects nothing.
  const bool summary_only = how.imported && how.imported->summary;
  if (const auto clock = row.optional_real(20); clock && !summary_only) {
    reading.cycles = reading.median_ns * *clock / 1000;
  }
  if (const auto& names = interned.kernels(row.integer(21)).groups; names.size() > 1) {
    reading.groups = groups_of(connection, row.integer(12), names);
  }
  return reading;
}

}  // namespace

void update_series_row(Connection& connection, std::int64_t result_id) {
  connection.query("INSERT OR REPLACE INTO series SELECT * FROM series_source WHERE result_id = ?1")
      .bind(result_id)
      .run();
}

std::vector<SeriesRow> case_series_rows(Connection& connection, const std::string& case_name, std::int64_t limit,
                                        std::int64_t last_run) {
  InternedReader interned(connection);
  Query query = connection.query(kSelect);
  const auto of_case = known_case(connection, case_name);
  if (!of_case) return {};
  query.bind(*of_case).bind(limit).bind(last_run);
  std::vector<SeriesRow> rows;
  while (query.step()) {
    SeriesRow& row = rows.emplace_back();
    row.run_id = query.integer(0);
    row.started_unix_ms = query.integer(1);
    row.commit = query.text(2);
    row.dirty = query.integer(3) != 0;
    row.identity = interned.identity(query.integer(5));
    if (const auto code = query.optional_integer(6)) {
      row.exit_code = parse_exit_code(*code);
    }
    if (const auto verdict = query.optional_text(7)) {
      row.verdict = parse_verdict(*verdict);
    }
    row.change_pct = query.optional_real(8);
    if (const auto metric = query.optional_text(23)) {
      row.metric = parse_metric(*metric);
    }
    row.baseline_ns = query.optional_real(24);
    row.threshold_pct = query.optional_real(25);
    row.waived = query.integer(26) != 0;
    if (const auto status = query.optional_text(9)) {
      row.last_status = core::parse_status(*status);
    }
    row.replayed = query.integer(4) != 0 || (!query.is_null(11) && query.integer(11) != 0);
    if (!query.is_null(12)) {
      row.reading = reading_of(connection, interned, query);
    }
  }
  return rows;
}

}  // namespace opgate::store
