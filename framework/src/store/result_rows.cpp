#include "store/result_rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "store/attempt_rows.hpp"
#include "store/case_series_rows.hpp"
#include "store/ceiling_rows.hpp"
#include "store/completeness.hpp"
#include "store/interned.hpp"
#include "store/names.hpp"
#include "store/run_rows.hpp"
#include "store/seal.hpp"

namespace opgate::store {
namespace {

struct Present {
  std::int64_t id = 0;
  std::int64_t identity_id = 0;
};

std::optional<Present> present_result(Connection& connection, std::int64_t run_id, std::int64_t case_id) {
  Query query = connection.query("SELECT id, identity_id FROM results WHERE case_id = ?1 AND run_id = ?2");
  query.bind(case_id).bind(run_id);
  return query.step() ? std::optional(Present{query.integer(0), query.integer(1)}) : std::nullopt;
}

std::int64_t insert_result(Connection& connection, std::int64_t run_id, std::int64_t case_id,
                           const CaseResult& result) {
  const std::int64_t identity = identity_id(connection, case_id, result.identity);
  const std::int64_t rule = text_id(connection, to_json(result.rule));
  const std::int64_t labels = text_id(connection, to_json(result.labels));
  connection
      .query(
          "INSERT INTO results (run_id, case_id, identity_id, rule_id, labels_id, times_recorded)"
          " VALUES (?1, ?2, ?3, ?4, ?5, ?6)")
      .bind(run_id)
      .bind(case_id)
      .bind(identity)
      .bind(rule)
      .bind(labels)
      .bind(std::int64_t{result.times_recorded})
      .run();
  return connection.last_id();
}

// A second recording under another identity would mix two cases in one result.
void require_same_identity(Connection& connection, const Present& present, std::int64_t case_id,
                           const CaseResult& opened) {
  if (present.identity_id != identity_id(connection, case_id, opened.identity)) {
    throw Error(
        ErrorKind::history,
        fmt::format("{} is already recorded in this run with other dimensions or parameters", opened.identity.name), {},
        "start a new run after changing a spec");
  }
}

// results, remarks joined; {} takes the condition. CROSS JOIN keeps SQLite from starting at another table.
constexpr const char* kSelectResults =
    "SELECT r.id, r.run_id, r.identity_id, r.rule_id, r.labels_id, r.times_recorded, r.exit_code, r.verdict, r.metric,"
    " r.baseline_ns, r.measured_ns, r.change_pct, r.threshold_pct, r.detectable_pct, m.reason, m.notes, "
    "m.origin_change_pct,"
    " m.subtick_change_pct, m.waiver"
    " FROM results r LEFT JOIN remarks m ON m.result_id = r.id {} ORDER BY r.run_id DESC, r.id DESC LIMIT ?1";

std::string select_for(const Page& page) {
  const char* const by_case = "r.case_id = ?2";
  if (page.case_name && page.run_id) {
    return fmt::format(kSelectResults, fmt::format("WHERE {} AND r.run_id = ?3", by_case));
  }
  if (page.case_name) {
    return fmt::format(kSelectResults, fmt::format("WHERE {}", by_case));
  }
  return fmt::format(kSelectResults, page.run_id ? "WHERE r.run_id = ?2" : "");
}

std::optional<core::Judgement> judgement_of(const Query& row, int rule_version) {
  const auto verdict = row.optional_text(7);
  if (!verdict) {
    return std::nullopt;
  }
  return core::Judgement{.verdict = parse_verdict(*verdict),
                         .metric = parse_metric(row.text(8)),
                         .baseline_ns = row.optional_real(9),
                         .measured_ns = row.optional_real(10),
                         .change_pct = row.optional_real(11),
                         .threshold_pct = row.optional_real(12),
                         .detectable_pct = row.optional_real(13),
                         .reason = row.text(14),
                         .notes = row.is_null(15) ? std::vector<std::string>{} : string_list(row.text(15)),
                         .rule_version = rule_version,
                         .origin_change_pct = row.optional_real(16),
                         .subtick_change_pct = row.optional_real(17),
                         .waiver = row.is_null(18) ? std::nullopt : std::optional(waiver(row.text(18)))};
}

CaseResult result_of(const Query& row, InternedReader& interned) {
  CaseResult result;
  result.id = row.integer(0);
  result.run_id = row.integer(1);
  result.identity = interned.identity(row.integer(2));
  result.rule = interned.rule(row.integer(3));
  result.labels = interned.words(row.integer(4));
  result.times_recorded = static_cast<int>(row.integer(5));
  if (const auto code = row.optional_integer(6)) {
    result.exit_code = parse_exit_code(*code);
  }
  result.judgement = judgement_of(row, result.rule.version);
  return result;
}

// Asked once for each GPU, of which a history knows few.
class CeilingsOfUnits {
 public:
  explicit CeilingsOfUnits(Connection& connection) : connection_(connection) {}

  std::optional<core::Ceilings> of(const std::vector<core::Attempt>& attempts) {
    const auto measured = std::find_if(attempts.begin(), attempts.end(), [](const core::Attempt& attempt) {
      return attempt.status == core::Status::measured;
    });
    if (measured == attempts.end()) return std::nullopt;
    const auto [found, missing] = by_unit_.try_emplace(measured->device.uuid);
    if (missing) found->second = newest_ceilings(connection_, found->first);
    return found->second;
  }

 private:
  Connection& connection_;
  std::map<std::string, std::optional<core::Ceilings>> by_unit_;
};

}  // namespace

void result_changed(Connection& connection, std::int64_t result_id) {
  update_series_row(connection, result_id);
  seal_result(connection, result_id);
}

core::Attempt renumbered(core::Attempt attempt, int attempts_before) {
  if (attempts_before > 0) {
    attempt.number += attempts_before;
    attempt.purpose = attempt.purpose == "first" ? "repeat" : attempt.purpose;
  }
  return attempt;
}

OpenedCase open_case(Connection& connection, std::int64_t run_id, const CaseResult& opened) {
  require_run(connection, run_id);
  const std::int64_t case_id = store::case_id(connection, opened.identity.name);
  OpenedCase place;
  if (const auto present = present_result(connection, run_id, case_id)) {
    require_same_identity(connection, *present, case_id, opened);
    check_result(connection, present->id);
    place = {present->id, last_attempt_number(connection, present->id)};
    connection.query("UPDATE results SET times_recorded = times_recorded + 1 WHERE id = ?1").bind(present->id).run();
    set_outcome(connection, present->id, std::nullopt, std::nullopt);
  } else {
    place.result_id = insert_result(connection, run_id, case_id, opened);
  }
  core::Attempt first = opened.attempts.empty() ? core::Attempt{} : opened.attempts.front();
  first.status = core::Status::running;
  put_attempt_row(connection, place.result_id, renumbered(std::move(first), place.attempts_before));
  result_changed(connection, place.result_id);
  return place;
}

void set_outcome(Connection& connection, std::int64_t result_id, const std::optional<core::Judgement>& judgement,
                 const std::optional<core::ExitCode>& exit_code) {
  const core::Judgement none;
  const core::Judgement& j = judgement ? *judgement : none;
  const auto word = [&](const char* text) { return judgement ? std::optional<std::string>(text) : std::nullopt; };
  connection
      .query(
          "UPDATE results SET exit_code = ?2, verdict = ?3, metric = ?4, baseline_ns = ?5, measured_ns = ?6,"
          " change_pct = ?7, threshold_pct = ?8, detectable_pct = ?9 WHERE id = ?1")
      .bind(result_id)
      .bind(exit_code ? std::optional(static_cast<std::int64_t>(*exit_code)) : std::nullopt)
      .bind(word(core::to_string(j.verdict)))
      .bind(word(core::to_string(j.metric)))
      .bind(j.baseline_ns)
      .bind(j.measured_ns)
      .bind(j.change_pct)
      .bind(j.threshold_pct)
      .bind(j.detectable_pct)
      .run();
  connection.query("DELETE FROM remarks WHERE result_id = ?1").bind(result_id).run();
  if (judgement) {
    connection
        .query(
            "INSERT INTO remarks (result_id, reason, notes, origin_change_pct, subtick_change_pct, waiver)"
            " VALUES (?1, ?2, ?3, ?4, ?5, ?6)")
        .bind(result_id)
        .bind(j.reason)
        .bind(to_json(j.notes))
        .bind(j.origin_change_pct)
        .bind(j.subtick_change_pct)
        .bind(j.waiver ? std::optional(to_json(*j.waiver)) : std::nullopt)
        .run();
  }
}

std::int64_t insert_whole_result(Connection& connection, std::int64_t run_id, const CaseResult& result) {
  require_run(connection, run_id);
  const std::int64_t case_id = store::case_id(connection, result.identity.name);
  if (present_result(connection, run_id, case_id)) {
    throw Error(ErrorKind::history, fmt::format("run {} already holds {}", run_id, result.identity.name), {},
                "import into a new run; nothing is overwritten");
  }
  const std::int64_t id = insert_result(connection, run_id, case_id, result);
  for (const core::Attempt& attempt : result.attempts) {
    put_attempt_row(connection, id, attempt);
  }
  set_outcome(connection, id, result.judgement, result.exit_code);
  result_changed(connection, id);
  return id;
}

void require_result(Connection& connection, std::int64_t result_id) {
  if (!connection.query("SELECT 1 FROM results WHERE id = ?1").bind(result_id).step()) {
    throw Error(ErrorKind::history, fmt::format("there is no result {}", result_id), {},
                "open the case in a run before storing its attempts");
  }
}

std::vector<CaseResult> result_rows(Connection& connection, const Page& page) {
  InternedReader interned(connection);
  CeilingsOfUnits ceilings(connection);
  std::optional<std::int64_t> of_case;
  if (page.case_name) {
    of_case = known_case(connection, *page.case_name);
    if (!of_case) return {};
  }
  Query query = connection.query(select_for(page));
  query.bind(page.limit);
  if (of_case) {
    query.bind(*of_case);
  }
  if (page.run_id) {
    query.bind(*page.run_id);
  }
  std::vector<CaseResult> results;
  while (query.step()) {
    CaseResult& result = results.emplace_back(result_of(query, interned));
    require_place(connection, result, page);
    result.attempts = attempt_rows(connection, interned, result.id, page.with_samples);
    check_result(connection, result.id);
    result.ceilings = ceilings.of(result.attempts);
  }
  require_complete(connection, page, of_case, results);
  return results;
}

}  // namespace opgate::store
