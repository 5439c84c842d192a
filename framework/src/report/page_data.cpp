#include <map>

#include "core/device_rates.hpp"
#include "core/kernel_name.hpp"
#include "report/json_parts.hpp"
#include "report/markdown_text.hpp"
#include "report/page.hpp"
#include "report/page_pack.hpp"
#include "report/page_trend.hpp"
#include "report/run_text.hpp"
#include "store/names.hpp"

namespace opgate::report {
namespace {

// Values that repeat from case to case, told once.
class Interned {
 public:
  std::size_t index(const Json& value) {
    const auto [at, added] = indices_.emplace(value.dump(-1, ' ', false, Json::error_handler_t::replace), all_.size());
    if (added) all_.push_back(value);
    return at->second;
  }
  [[nodiscard]] const Json& all() const { return all_; }

 private:
  std::map<std::string, std::size_t> indices_;
  Json all_ = Json::array();
};

Json json_of(const core::DeviceIdentity& device) {
  Json json{{"name", device.name},
            {"uuid", device.uuid},
            {"driver", device.driver},
            {"cuda", device.cuda},
            {"cupti", device.cupti},
            {"sm_count", device.sm_count},
            {"l2_bytes", device.l2_bytes},
            {"memory_bytes", device.memory_bytes},
            {"max_sm_mhz", device.max_sm_mhz},
            {"tick_ns", device.tick_ns},
            {"roof", nullptr}};
  if (const auto rates = core::rates_of(device); rates && device.sm_count > 0 && device.max_sm_mhz > 0) {
    const double cycles = device.sm_count * static_cast<double>(device.max_sm_mhz) * 1e-6;  // tera per second
    json["roof"] = {{"memory_tbs", rates->memory_bytes_per_ns * 1e-3},
                    {"f64", rates->f64 * cycles},
                    {"f32", rates->f32 * cycles},
                    {"f16", rates->half * cycles},
                    {"bf16", rates->half * cycles},
                    {"byte", rates->byte * cycles}};
  }
  return json;
}

Json json_of(const core::DeviceState& state) {
  return {{"sm_mhz", or_null(state.sm_mhz)},
          {"memory_mhz", or_null(state.memory_mhz)},
          {"temperature_c", or_null(state.temperature_c)},
          {"power_mw", or_null(state.power_mw)},
          {"throttle_reasons", or_null(state.throttle_reasons)},
          {"other_processes", state.other_processes.size()}};
}

Json figures_json(const Figures& figures) {
  return {{"busy", or_null(figures.busy_ns)},        {"p10", or_null(figures.p10_ns)},
          {"p90", or_null(figures.p90_ns)},          {"trimmed", or_null(figures.trimmed_mean_ns)},
          {"latency", or_null(figures.latency_ns)},  {"queued_latency", or_null(figures.queued_latency_ns)},
          {"mhz", or_null(figures.sm_mhz)},          {"samples", figures.samples},
          {"n_kernels", or_null(figures.n_kernels)}, {"tflops", or_null(figures.tflops)},
          {"tbs", or_null(figures.bandwidth_tbs)}};
}

Json judgement_json(const core::Judgement& judgement) {
  Json json{{"metric", core::to_string(judgement.metric)},
            {"baseline", or_null(judgement.baseline_ns)},
            {"measured", or_null(judgement.measured_ns)},
            {"change", or_null(judgement.change_pct)},
            {"threshold", or_null(judgement.threshold_pct)},
            {"limit", or_null(limit_ns(judgement.baseline_ns, judgement.threshold_pct))},
            {"detectable", or_null(judgement.detectable_pct)},
            {"origin_change", or_null(judgement.origin_change_pct)},
            {"notes", judgement.notes},
            {"rule", judgement.rule_version},
            {"waiver", nullptr}};
  if (const auto& waiver = judgement.waiver) {
    json["waiver"] = {{"owner", waiver->owner}, {"reason", waiver->reason}, {"expires", waiver->expires}};
  }
  return json;
}

Json identity_json(const core::CaseIdentity& identity) {
  return {{"op", identity.op},
          {"workload", identity.workload},
          {"dtype", identity.dtype},
          {"dimensions", identity.dimensions},
          {"params", identity.params},
          {"flops", or_null(identity.flops)},
          {"bytes", identity.bytes_read && identity.bytes_written ? Json(*identity.bytes_read + *identity.bytes_written)
                                                                  : or_null(identity.bytes)}};
}

Json method_json(const core::ImplementationResult& ours, int processes) {
  const store::Method method = store::method_of(ours);
  return {{"protocol", method.protocol},
          {"timing", method.timing},
          {"flush", method.flush},
          {"launch", method.launch},
          {"launch_reason", ours.measurement.launch_reason},
          {"pacing", ours.imported ? "" : store::pacing_name(ours.measurement.pacing)},
          {"processes", processes},
          {"warm_up", ours.measurement.warmup_iterations},
          {"retries", ours.measurement.retries}};
}

Json kernels_json(const core::ImplementationResult& ours) {
  Json kernels = Json::array();
  for (const core::KernelInfo& kernel : ours.kernels) {
    kernels.push_back({{"name", core::demangle(kernel.name)},
                       {"grid", kernel.grid},
                       {"block", kernel.block},
                       {"registers", kernel.registers},
                       {"shared", kernel.static_shared_bytes + kernel.dynamic_shared_bytes}});
  }
  return kernels;
}

Json samples_json(const core::ImplementationResult& one, ColumnWriter& columns) {
  const auto& samples = one.measurement.samples;
  Json json{{"count", samples.size()}, {"at", columns.size()}};
  std::vector<std::optional<std::int64_t>> busy;
  std::vector<std::optional<std::int64_t>> mhz;
  std::vector<std::optional<std::int64_t>> group;
  for (const Sample& sample : samples) {
    busy.emplace_back(sample.busy_ns);
    mhz.emplace_back(sample.sm_mhz);
    group.emplace_back(sample.group);
  }
  columns.integers(busy);
  columns.integers(mhz);
  columns.integers(group);
  return json;
}

class Packer {
 public:
  Json case_json(const ReportCase& one) {
    Json json{{"name", one.name},
              {"outcome", one.outcome ? word_of(*one.outcome) : "missing"},
              {"waived", one.outcome == Outcome::waived},
              {"phrase", one.outcome ? phrase_of(*one.outcome) : "not run"},
              {"attention", one.wants_attention},
              {"source", word_of(one.source)},
              {"remarks", one.remarks},
              {"reason", one.reason},
              {"labels", one.result.labels},
              {"identity", identity_json(one.result.identity)}};
    json["figures"] = one.figures ? figures_json(*one.figures) : Json(nullptr);
    json["ceiling"] = ceiling_json(one.ceiling);
    json["judgement"] = one.figures && one.result.judgement ? judgement_json(*one.result.judgement) : Json(nullptr);
    json["device"] = nullptr;
    json["implementations"] = Json::array();
    if (const core::Attempt* const attempt = deciding_attempt(one.result)) add_attempt(json, one, *attempt);
    json["trend"] = trend_json(one.trend, runs_, columns_);
    return json;
  }

  [[nodiscard]] const Json& devices() const { return devices_.all(); }
  [[nodiscard]] const PageRuns& runs() const { return runs_; }
  [[nodiscard]] const std::string& columns() const { return columns_.bytes(); }

 private:
  void add_attempt(Json& json, const ReportCase& one, const core::Attempt& attempt) {
    if (!attempt.device.name.empty() || !attempt.device.uuid.empty()) {
      json["device"] = devices_.index(json_of(attempt.device));
    }
    json["before"] = json_of(attempt.before);
    json["after"] = json_of(attempt.after);
    json["attempts"] = one.result.attempts.size();
    json["wall_ns"] = attempt.wall_ns;
    json["message"] = has_number(*one.outcome) ? "" : attempt.message;
    if (!one.figures) return;
    for (const core::ImplementationResult& implementation : attempt.implementations) {
      const std::string& name = implementation.measurement.name;
      json["implementations"].push_back({{"name", name},
                                         {"figures", figures_json(figures_of(implementation, one.result.identity))},
                                         {"groups", implementation.kernel_groups},
                                         {"samples", samples_json(implementation, columns_)}});
      if (!name.empty()) continue;
      json["method"] = method_json(implementation, attempt.processes);
      json["kernels"] = kernels_json(implementation);
    }
  }

  Interned devices_;
  PageRuns runs_;
  ColumnWriter columns_;
};

Json counts_json(const ReportCounts& counts) {
  Json all = Json::array();
  for (const Count& count : counts_in_order(counts)) {
    if (count.always || count.count > 0) all.push_back({{"phrase", count.phrase}, {"count", count.count}});
  }
  return all;
}

}  // namespace

std::string page_data(const Report& report) {
  Packer packer;
  Json cases = Json::array();
  for (const ReportCase& one : report.cases) cases.push_back(packer.case_json(one));
  const Json page{{"version", 1},
                  {"headline", headline_of(report)},
                  {"warnings", report.warnings},
                  {"counts", counts_json(report.counts)},
                  {"expected", report.counts.expected},
                  {"selection_known", report.counts.selection_known},
                  {"exit_code", static_cast<int>(report.exit_code)},
                  {"exit_meaning", core::meaning(report.exit_code)},
                  {"run",
                   {{"id", report.run.id},
                    {"uuid", report.run.uuid},
                    {"origin", report.run.origin},
                    {"started", report.run.started_unix_ms},
                    {"host", report.run.host},
                    {"commit", report.run.commit},
                    {"dirty", report.run.dirty},
                    {"replayed", report.run.replayed},
                    {"label", report.run.label},
                    {"options", report.run.options}}},
                  {"devices", packer.devices()},
                  {"runs", packer.runs().json()},
                  {"cases", cases}};
  const std::string text = page.dump(-1, ' ', false, Json::error_handler_t::replace);
  std::string bytes;
  for (unsigned byte = 0; byte < 4; ++byte) bytes.push_back(static_cast<char>((text.size() >> (8 * byte)) & 0xffU));
  return bytes + text + packer.columns();
}

}  // namespace opgate::report
