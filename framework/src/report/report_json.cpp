#include "report/report_json.hpp"

#include "core/statistics.hpp"
#include "report/json_parts.hpp"
#include "report/run_text.hpp"
#include "store/names.hpp"

namespace opgate::report {
namespace {

std::string word_of_case(const ReportCase& one) {
  return one.outcome ? word_of(*one.outcome) : "missing";
}

Json json_of(const store::RunInfo& run, const Report& report) {
  Json counts = Json::object();
  for (const auto& [outcome, count] : report.counts.by_outcome) counts[word_of(outcome)] = count;
  counts["missing"] = report.counts.not_run;
  Json line{{"record", "run"}};
  line.update(run_json(run));
  line.update({{"expected", report.counts.expected},
               {"selection_known", report.counts.selection_known},
               {"counts", counts},
               {"results_replayed", report.counts.replayed},
               {"results_imported", report.counts.imported},
               {"recorded_twice", report.counts.repeated},
               {"not_selected", report.counts.unselected},
               {"warnings", report.warnings},
               {"exit_code", static_cast<int>(report.exit_code)}});
  return line;
}

void add_judgement(Json& line, const ReportCase& one) {
  const core::Judgement none;
  const bool judged = one.figures && one.result.judgement;
  const core::Judgement& judgement = judged ? *one.result.judgement : none;
  line["verdict"] = judged ? Json(core::to_string(judgement.verdict)) : Json(nullptr);
  line["metric"] = judged && judgement.measured_ns ? Json(core::to_string(judgement.metric)) : Json(nullptr);
  line["baseline_ns"] = or_null(judgement.baseline_ns);
  line["measured_ns"] = or_null(judgement.measured_ns);
  line["change_pct"] = or_null(judgement.change_pct);
  line["threshold_pct"] = or_null(judgement.threshold_pct);
  line["limit_ns"] = or_null(limit_ns(judgement.baseline_ns, judgement.threshold_pct));
  line["detectable_pct"] = or_null(judgement.detectable_pct);
  line["origin_change_pct"] = or_null(judgement.origin_change_pct);
  line["reason"] = one.reason;
  line["notes"] = judgement.notes;
  line["waiver"] = waiver_json(judgement.waiver);
}

void add_figures(Json& line, const ReportCase& one) {
  const Figures none;
  const Figures& figures = one.figures ? *one.figures : none;
  line["busy_ns"] = or_null(figures.busy_ns);
  line["p10_ns"] = or_null(figures.p10_ns);
  line["p90_ns"] = or_null(figures.p90_ns);
  line["busy_trimmed_mean_ns"] = or_null(figures.trimmed_mean_ns);
  line["sm_mhz"] = or_null(figures.sm_mhz);
  line["samples"] = figures.samples;
  line["n_kernels"] = or_null(figures.n_kernels);
  line["tflops"] = or_null(figures.tflops);
  line["bandwidth_tbs"] = or_null(figures.bandwidth_tbs);
  line["ceiling"] = ceiling_json(one.ceiling);
}

// Only beside a number of ours: libraries of an attempt that gave none are no figures either.
Json libraries_json(const ReportCase& one, const core::Attempt* attempt) {
  Json libraries = Json::array();
  if (!one.figures || attempt == nullptr) return libraries;
  for (const core::ImplementationResult& other : attempt->implementations) {
    if (other.measurement.name.empty()) continue;
    const Figures figures = figures_of(other, one.result.identity);
    libraries.push_back({{"name", other.measurement.name},
                         {"busy_ns", or_null(figures.busy_ns)},
                         {"p10_ns", or_null(figures.p10_ns)},
                         {"p90_ns", or_null(figures.p90_ns)}});
  }
  return libraries;
}

void add_machine(Json& line, const core::Attempt* attempt) {
  const core::DeviceIdentity device = attempt != nullptr ? attempt->device : core::DeviceIdentity{};
  line["device"] = device.name;
  line["unit"] = device.uuid;
  line["driver"] = device.driver;
  line["cuda"] = device.cuda;
  const core::ImplementationResult* const ours = attempt != nullptr ? ours_of(*attempt) : nullptr;
  const store::Method method = ours != nullptr ? store::method_of(*ours) : store::Method{};
  line["protocol"] = method.protocol;
  line["timing"] = method.timing;
  line["flush"] = method.flush;
  line["launch"] = method.launch;
}

Json trend_json(const CaseHistory& trend) {
  Json points = Json::array();
  for (std::size_t index = trend.rows.size(); index-- > 0;) {
    const store::SeriesRow& row = trend.rows[index];
    Json series = Json::array();
    for (const PlaceInSeries& place : trend.places[index]) series.push_back(place.series + 1);
    points.push_back({{"run", row.run_id},
                      {"started_unix_ms", row.started_unix_ms},
                      {"commit", row.commit},
                      {"dirty", row.dirty},
                      {"outcome", word_of(outcome_of(row))},
                      {"source", word_of(source_of(row))},
                      {"median_ns", row.reading ? Json(row.reading->median_ns) : Json(nullptr)},
                      {"mixed", row.reading && row.reading->groups.size() > 1},
                      {"p10_ns", row.reading ? or_null(row.reading->p10_ns) : Json(nullptr)},
                      {"p90_ns", row.reading ? or_null(row.reading->p90_ns) : Json(nullptr)},
                      {"sm_mhz", row.reading ? or_null(row.reading->sm_mhz) : Json(nullptr)},
                      {"baseline_ns", or_null(row.baseline_ns)},
                      {"limit_ns", or_null(limit_ns(row.baseline_ns, row.threshold_pct))},
                      {"series", series}});
  }
  return points;
}

Json changes_json(const CaseHistory& trend) {
  Json changes = Json::array();
  for (std::size_t number = 0; number < trend.series.size(); ++number) {
    const core::Series& series = trend.series[number];
    for (const core::ChangePoint& point : series.changes) {
      const store::SeriesRow& before = trend.rows[series.rows[point.index - 1]];
      const store::SeriesRow& after = trend.rows[series.rows[point.index]];
      changes.push_back({{"series", number + 1},
                         {"group", series.newest.group},
                         {"metric", core::to_string(series.metric)},
                         {"before_ns", point.before},
                         {"after_ns", point.after},
                         {"change_pct", point.change_pct},
                         {"p_value", point.p_value},
                         {"last_before_run", before.run_id},
                         {"last_before_commit", before.commit},
                         {"first_after_run", after.run_id},
                         {"first_after_commit", after.commit}});
    }
  }
  return changes;
}

Json json_of(const ReportCase& one, const store::RunInfo& run) {
  const core::Attempt* const attempt = deciding_attempt(one.result);
  Json line{{"record", "case"}, {"case", one.name}, {"run", run.id}, {"outcome", word_of_case(one)}};
  line["wants_attention"] = one.wants_attention;
  line["source"] = one.outcome ? Json(word_of(one.source)) : Json(nullptr);
  line["remarks"] = one.remarks;
  line["exit_code"] = one.result.exit_code ? Json(static_cast<int>(*one.result.exit_code)) : Json(nullptr);
  line["times_recorded"] = one.outcome ? one.result.times_recorded : 0;
  add_judgement(line, one);
  add_figures(line, one);
  line["libraries"] = libraries_json(one, attempt);
  add_machine(line, attempt);
  line["trend"] = trend_json(one.trend);
  line["change_points"] = changes_json(one.trend);
  return line;
}

}  // namespace

std::vector<std::string> report_json(const Report& report) {
  const auto dump = [](const Json& line) { return line.dump(-1, ' ', false, Json::error_handler_t::replace); };
  std::vector<std::string> lines{dump(json_of(report.run, report))};
  for (const ReportCase& one : report.cases) lines.push_back(dump(json_of(one, report.run)));
  return lines;
}

}  // namespace opgate::report
