#include "store/kept_rows.hpp"

#include <fmt/format.h>

#include "store/json_columns.hpp"

namespace opgate::store {
namespace {

// As core::read_run names the one group of a call that does not vary.
std::string only_group(const core::ImplementationResult& result, const core::SampleFigures& figures) {
  if (!result.kernel_groups.empty()) return result.kernel_groups.front();
  return figures.n_kernels ? fmt::format("{} kernels", *figures.n_kernels) : std::string();
}

}  // namespace

std::vector<core::GroupReading> kept_groups(Connection& connection, std::int64_t implementation_id) {
  Query query = connection.query("SELECT content FROM kept_groups WHERE implementation_id = ?1");
  return query.bind(implementation_id).step() ? group_readings(query.text(0)) : std::vector<core::GroupReading>{};
}

void put_kept_groups(Connection& connection, std::int64_t implementation_id,
                     const std::vector<core::GroupReading>& groups) {
  connection.query("INSERT OR REPLACE INTO kept_groups (implementation_id, content) VALUES (?1, ?2)")
      .bind(implementation_id)
      .bind(to_json(groups))
      .run();
}

std::optional<core::KeptFigures> kept_figures(Connection& connection, std::int64_t implementation_id,
                                              const core::ImplementationResult& result) {
  Query query = connection.query(
      "SELECT samples, busy_median_ns, busy_p10_ns, busy_p90_ns, busy_trimmed_mean_ns, work_median_ns,"
      " latency_median_ns, gap_median_ns, queued_latency_median_ns, device_gap_median_ns, sm_mhz_median,"
      " busy_cycles_median, n_kernels FROM implementations WHERE id = ?1");
  if (!query.bind(implementation_id).step() || query.integer(0) == 0) {
    return std::nullopt;
  }
  core::KeptFigures kept;
  core::SampleFigures& figures = kept.figures;
  figures.samples = static_cast<std::size_t>(query.integer(0));
  figures.busy_ns = query.optional_real(1);
  figures.p10_ns = query.optional_real(2);
  figures.p90_ns = query.optional_real(3);
  figures.trimmed_mean_ns = query.optional_real(4);
  figures.work_ns = query.optional_real(5);
  figures.latency_ns = query.optional_real(6);
  figures.gap_ns = query.optional_real(7);
  figures.queued_latency_ns = query.optional_real(8);
  figures.device_gap_ns = query.optional_real(9);
  figures.sm_mhz = query.optional_real(10);
  figures.cycles = query.optional_real(11);
  if (const auto kernels = query.optional_integer(12)) {
    figures.n_kernels = static_cast<std::int32_t>(*kernels);
  }
  kept.groups = kept_groups(connection, implementation_id);
  if (kept.groups.empty() && figures.busy_ns) {
    kept.groups.push_back(
        {only_group(result, figures),
         1,
         {*figures.busy_ns, figures.cycles, figures.trimmed_mean_ns, static_cast<int>(figures.samples)}});
  }
  return kept;
}

}  // namespace opgate::store
