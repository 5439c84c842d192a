#include "store/ceiling_rows.hpp"

namespace opgate::store {
namespace {

constexpr double kPerSecond = 1e9;  // of a nanosecond

std::optional<double> per_second(const std::optional<core::MeasuredRate>& rate) {
  return rate ? std::optional(rate->per_ns * kPerSecond) : std::nullopt;
}

std::optional<double> clock_of(const std::optional<core::MeasuredRate>& rate) {
  return rate ? rate->sm_mhz : std::nullopt;
}

std::optional<core::MeasuredRate> rate_at(const Query& row, int column) {
  const std::optional<double> rate = row.optional_real(column);
  return rate ? std::optional(core::MeasuredRate{*rate / kPerSecond, row.optional_real(column + 1)}) : std::nullopt;
}

}  // namespace

void insert_ceilings(Connection& connection, const core::Ceilings& ceilings) {
  connection
      .query(
          "INSERT INTO ceilings (unit, device, driver, measured_unix_ms, source_commit, dirty, copy_bytes_per_s,"
          " copy_sm_mhz, half_flops_per_s, half_sm_mhz, f8_flops_per_s, f8_sm_mhz)"
          " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)")
      .bind(ceilings.unit)
      .bind(ceilings.device)
      .bind(ceilings.driver)
      .bind(ceilings.measured_unix_ms)
      .bind(ceilings.commit)
      .bind(std::int64_t{ceilings.dirty ? 1 : 0})
      .bind(per_second(ceilings.copy))
      .bind(clock_of(ceilings.copy))
      .bind(per_second(ceilings.half))
      .bind(clock_of(ceilings.half))
      .bind(per_second(ceilings.f8))
      .bind(clock_of(ceilings.f8))
      .run();
}

std::optional<core::Ceilings> newest_ceilings(Connection& connection, const std::string& unit) {
  if (unit.empty()) return std::nullopt;
  Query query = connection.query(
      "SELECT unit, device, driver, measured_unix_ms, source_commit, dirty, copy_bytes_per_s, copy_sm_mhz,"
      " half_flops_per_s, half_sm_mhz, f8_flops_per_s, f8_sm_mhz"
      " FROM ceilings WHERE unit = ?1 ORDER BY measured_unix_ms DESC, id DESC LIMIT 1");
  if (!query.bind(unit).step()) return std::nullopt;
  return core::Ceilings{.unit = query.text(0),
                        .device = query.text(1),
                        .driver = query.text(2),
                        .measured_unix_ms = query.integer(3),
                        .commit = query.text(4),
                        .dirty = query.integer(5) != 0,
                        .copy = rate_at(query, 6),
                        .half = rate_at(query, 8),
                        .f8 = rate_at(query, 10)};
}

}  // namespace opgate::store
