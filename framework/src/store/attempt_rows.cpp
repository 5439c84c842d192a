#include "store/attempt_rows.hpp"

#include <fmt/format.h>

#include <cmath>
#include <span>

#include "core/figures.hpp"
#include "store/damage.hpp"
#include "store/kept_rows.hpp"
#include "store/names.hpp"
#include "store/sample_codec.hpp"

namespace opgate::store {
namespace {

// Medians of whole nanoseconds differ by half of one or more.
constexpr double kSameNs = 0.25;

std::optional<std::int64_t> wide(const std::optional<std::int32_t>& value) {
  return value ? std::optional<std::int64_t>(*value) : std::nullopt;
}

// The figures are kept beside the samples: they outlive them and can be searched.
void insert_implementation(Connection& connection, std::int64_t attempt_id, std::int64_t position,
                           const core::ImplementationResult& result) {
  const Measurement& m = result.measurement;
  const core::SampleFigures figures = core::figures_of(result);
  const Method method = method_of(result);
  const auto word = [](const std::string& text) { return text.empty() ? std::string(kUnknown) : text; };
  const std::int64_t kernels =
      text_id(connection, to_json(KernelSet{result.kernels, result.kernel_groups, result.launches}));
  connection
      .query(
          "INSERT INTO implementations (attempt_id, position, name, protocol, timing, flush, launch, launch_reason,"
          " pacing, device, warmup_iterations, iterations_asked, retries, samples, busy_median_ns, busy_p10_ns,"
          " busy_p90_ns, busy_trimmed_mean_ns, work_median_ns, latency_median_ns, gap_median_ns,"
          " queued_latency_median_ns, device_gap_median_ns, sm_mhz_median, busy_cycles_median, n_kernels,"
          " pass_medians_ns, kernels_id, imported)"
          " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20, ?21,"
          " ?22, ?23, ?24, ?25, ?26, ?27, ?28, ?29)")
      .bind(attempt_id)
      .bind(position)
      .bind(m.name)
      .bind(word(method.protocol))
      .bind(word(method.timing))
      .bind(word(method.flush))
      .bind(word(method.launch))
      .bind(m.launch_reason)
      .bind(m.pacing)
      .bind(std::int64_t{m.device})
      .bind(std::int64_t{m.warmup_iterations})
      .bind(wide(result.iterations_asked))
      .bind(std::int64_t{m.retries})
      .bind(static_cast<std::int64_t>(figures.samples))
      .bind(figures.busy_ns)
      .bind(figures.p10_ns)
      .bind(figures.p90_ns)
      .bind(figures.trimmed_mean_ns)
      .bind(figures.work_ns)
      .bind(figures.latency_ns)
      .bind(figures.gap_ns)
      .bind(figures.queued_latency_ns)
      .bind(figures.device_gap_ns)
      .bind(figures.sm_mhz)
      .bind(figures.cycles)
      .bind(wide(figures.n_kernels))
      .bind(to_json(m.pass_medians_ns))
      .bind(kernels)
      .bind(result.imported ? std::optional(to_json(*result.imported)) : std::nullopt)
      .run();
  const std::int64_t implementation_id = connection.last_id();
  if (result.kept && !result.kept->groups.empty()) {
    put_kept_groups(connection, implementation_id, result.kept->groups);
  }
  if (!m.samples.empty()) {
    connection.query("INSERT INTO samples (implementation_id, content) VALUES (?1, ?2)")
        .bind(implementation_id)
        .bind(std::span<const std::byte>(encode_samples(m.samples)))
        .run();
  }
}

std::vector<Sample> samples_of(Connection& connection, std::int64_t implementation_id) {
  Query query = connection.query("SELECT content FROM samples WHERE implementation_id = ?1");
  return query.bind(implementation_id).step() ? decode_samples(query.blob(0)) : std::vector<Sample>{};
}

[[noreturn]] void belongs_to_another(const char* what, std::int64_t id) {
  throw damage(fmt::format("{} {} belong to another row", what, id));
}

// A flipped bit in an index leads to a row that does not name who asked: by its own number, the row is read from the
// table and not from that index.
void check_owner(Query query, const char* what, std::int64_t id, std::int64_t owner) {
  if (!query.bind(id).step() || query.integer(0) != owner) belongs_to_another(what, id);
}

// The checksum says that the samples are some result's; the figures beside them, that they are this one's.
void check_samples(const core::ImplementationResult& result, std::int64_t id, const Query& row, int first) {
  const core::SampleFigures figures = core::figures_of(result);
  const bool same = static_cast<std::int64_t>(figures.samples) == row.integer(first) &&
                    figures.busy_ns.has_value() == !row.is_null(first + 1) &&
                    (!figures.busy_ns || std::abs(*figures.busy_ns - row.real(first + 1)) < kSameNs);
  if (!same) belongs_to_another("samples", id);
}

std::vector<core::ImplementationResult> implementation_rows(Connection& connection, InternedReader& interned,
                                                            std::int64_t attempt_id, bool with_samples) {
  Query query = connection.query(
      "SELECT id, name, protocol, timing, flush, launch, device, warmup_iterations, retries, pass_medians_ns,"
      " kernels_id, imported, launch_reason, pacing, iterations_asked, samples, busy_median_ns FROM implementations"
      " WHERE attempt_id = ?1 ORDER BY position");
  query.bind(attempt_id);
  std::vector<core::ImplementationResult> results;
  while (query.step()) {
    const std::int64_t id = query.integer(0);
    check_owner(connection.query("SELECT attempt_id FROM implementations WHERE id = ?1"), "figures", id, attempt_id);
    core::ImplementationResult& result = results.emplace_back();
    Measurement& m = result.measurement;
    m.name = query.text(1);
    take_method(query, 2, 11, result);
    m.device = static_cast<std::int32_t>(query.integer(6));
    m.warmup_iterations = static_cast<int>(query.integer(7));
    m.retries = static_cast<int>(query.integer(8));
    m.pass_medians_ns = number_list(query.text(9));
    const KernelSet& set = interned.kernels(query.integer(10));
    result.kernels = set.kernels;
    result.kernel_groups = set.groups;
    result.launches = set.launches;
    m.launch_reason = query.text(12);
    m.pacing = query.real(13);
    if (const auto asked = query.optional_integer(14)) {
      result.iterations_asked = static_cast<int>(*asked);
    }
    if (with_samples) {
      m.samples = samples_of(connection, id);
      if (m.samples.empty()) {
        result.kept = kept_figures(connection, id, result);
      } else {
        check_samples(result, id, query, 15);
      }
    }
  }
  return results;
}

}  // namespace

void take_method(const Query& row, int first, int imported_column, core::ImplementationResult& result) {
  Measurement& m = result.measurement;
  if (const auto imported = row.optional_text(imported_column)) {
    const auto word = [&](int column) { return row.text(column) == kUnknown ? std::string() : row.text(column); };
    result.imported = imported_reading(*imported);
    result.imported->protocol = word(first);
    result.imported->timing = word(first + 1);
    result.imported->flush = word(first + 2);
    result.imported->launch = word(first + 3);
    return;
  }
  m.protocol = parse_protocol(row.text(first));
  m.timing = parse_timing(row.text(first + 1));
  m.flush = parse_flush(row.text(first + 2));
  m.launch = parse_launch(row.text(first + 3));
}

void put_attempt_row(Connection& connection, std::int64_t result_id, const core::Attempt& attempt) {
  connection.query("DELETE FROM attempts WHERE result_id = ?1 AND number = ?2")
      .bind(result_id)
      .bind(std::int64_t{attempt.number})
      .run();
  const auto error = attempt.error ? std::optional<std::string>(name_of(*attempt.error)) : std::nullopt;
  const std::int64_t device = device_id(connection, attempt.device);
  connection
      .query(
          "INSERT INTO attempts (result_id, number, purpose, status, error, replayed, device_id, started_unix_ms,"
          " wall_ns, phase, message, detail) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)")
      .bind(result_id)
      .bind(std::int64_t{attempt.number})
      .bind(attempt.purpose)
      .bind(std::string(core::to_string(attempt.status)))
      .bind(error)
      .bind(std::int64_t{attempt.replayed ? 1 : 0})
      .bind(device)
      .bind(attempt.started_unix_ms)
      .bind(attempt.wall_ns)
      .bind(attempt.phase)
      .bind(attempt.message)
      .bind(to_json(AttemptDetail{attempt.before, attempt.after, attempt.phase_wall_ns, attempt.processes}))
      .run();
  const std::int64_t attempt_id = connection.last_id();
  std::int64_t position = 0;
  for (const core::ImplementationResult& implementation : attempt.implementations) {
    insert_implementation(connection, attempt_id, position++, implementation);
  }
}

std::vector<core::Attempt> attempt_rows(Connection& connection, InternedReader& interned, std::int64_t result_id,
                                        bool with_samples) {
  Query query = connection.query(
      "SELECT id, number, purpose, status, error, replayed, device_id, started_unix_ms, wall_ns, phase, message, detail"
      " FROM attempts WHERE result_id = ?1 ORDER BY number");
  query.bind(result_id);
  std::vector<core::Attempt> attempts;
  while (query.step()) {
    const std::int64_t id = query.integer(0);
    check_owner(connection.query("SELECT result_id FROM attempts WHERE id = ?1"), "records of attempt", id, result_id);
    core::Attempt& attempt = attempts.emplace_back();
    attempt.number = static_cast<int>(query.integer(1));
    attempt.purpose = query.text(2);
    attempt.status = core::parse_status(query.text(3));
    if (const auto error = query.optional_text(4)) {
      attempt.error = parse_error_kind(*error);
    }
    attempt.replayed = query.integer(5) != 0;
    attempt.device = interned.device(query.integer(6));
    attempt.started_unix_ms = query.integer(7);
    attempt.wall_ns = query.integer(8);
    attempt.phase = query.text(9);
    attempt.message = query.text(10);
    AttemptDetail detail = attempt_detail(query.text(11));
    attempt.before = std::move(detail.before);
    attempt.after = std::move(detail.after);
    attempt.phase_wall_ns = std::move(detail.phase_wall_ns);
    attempt.processes = detail.processes;
    attempt.implementations = implementation_rows(connection, interned, id, with_samples);
  }
  return attempts;
}

int last_attempt_number(Connection& connection, std::int64_t result_id) {
  Query query = connection.query("SELECT max(number) FROM attempts WHERE result_id = ?1");
  return query.bind(result_id).step() ? static_cast<int>(query.integer(0)) : 0;
}

}  // namespace opgate::store
