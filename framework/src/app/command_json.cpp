#include <set>

#include "app/command_result.hpp"
#include "core/figures.hpp"
#include "core/kernel_name.hpp"
#include "report/figures.hpp"
#include "report/kernels.hpp"
#include "store/names.hpp"

// How results are spelled in JSON; the names are a contract with scripts.

namespace opgate::app {

namespace {

Json json_of(const core::DeviceIdentity& device) {
  return {{"name", device.name},       {"uuid", device.uuid},
          {"driver", device.driver},   {"cuda", device.cuda},
          {"cupti", device.cupti},     {"sm_count", device.sm_count},
          {"tick_ns", device.tick_ns}, {"max_sm_mhz", device.max_sm_mhz}};
}

// Columns; the span of a held call has a name of its own.
Json json_of(const Measurement& measurement) {
  Json busy = Json::array();
  Json span = Json::array();
  Json work = Json::array();
  Json kernels = Json::array();
  Json clocks = Json::array();
  Json groups = Json::array();
  for (const Sample& sample : measurement.samples) {
    busy.push_back(sample.busy_ns);
    span.push_back(sample.latency_ns);
    work.push_back(or_null(sample.work_ns));
    kernels.push_back(or_null(sample.n_kernels));
    clocks.push_back(or_null(sample.sm_mhz));
    groups.push_back(sample.group);
  }
  const char* const span_name = measurement.launch == Launch::queued ? "queued_latency_ns" : "latency_ns";
  return {{"busy_ns", busy},      {span_name, span},  {"work_ns", work},
          {"n_kernels", kernels}, {"sm_mhz", clocks}, {"group", groups}};
}

// Of a reading that another tool took: null for our own.
Json json_of(const std::optional<core::Imported>& imported) {
  if (!imported) return nullptr;
  Json json{{"properties", imported->properties}, {"summary", nullptr}};
  if (const auto& summary = imported->summary) {
    json["summary"] = {{"statistic", summary->statistic},
                       {"readings", or_null(summary->readings)},
                       {"gap_ns", or_null(summary->gap_ns)}};
  }
  return json;
}

std::string known(const std::string& word) {
  return word.empty() ? store::kUnknown : word;
}

Json kernels_json(const core::ImplementationResult& implementation) {
  Json kernels = Json::array();
  for (const core::KernelInfo& kernel : implementation.kernels) {
    kernels.push_back({{"name", kernel.name},
                       {"demangled", core::demangle(kernel.name)},
                       {"grid", kernel.grid},
                       {"block", kernel.block},
                       {"registers", kernel.registers},
                       {"static_shared_bytes", kernel.static_shared_bytes},
                       {"dynamic_shared_bytes", kernel.dynamic_shared_bytes},
                       {"launches_per_call", or_null(report::launches_per_call(implementation, kernel))}});
  }
  return kernels;
}

Json groups_json(const core::ImplementationResult& implementation) {
  Json groups = Json::array();
  for (const core::GroupFigures& group : core::group_figures(implementation)) {
    groups.push_back({{"kernels", group.kernels},
                      {"samples", group.samples},
                      {"share", group.share},
                      {"busy_ns", group.busy_ns},
                      {"busy_trimmed_mean_ns", group.trimmed_mean_ns}});
  }
  return groups;
}

Json launches_json(const std::vector<core::GroupLaunches>& launches) {
  Json all = Json::array();
  for (const core::GroupLaunches& group : launches) {
    all.push_back({{"kernels", group.kernels}, {"copies", group.copies}});
  }
  return all;
}

void add_figures(Json& json, const core::SampleFigures& figures, std::int32_t max_sm_mhz) {
  json["busy_ns"] = or_null(figures.busy_ns);
  json["busy_trimmed_mean_ns"] = or_null(figures.trimmed_mean_ns);
  json["p10_ns"] = or_null(figures.p10_ns);
  json["p90_ns"] = or_null(figures.p90_ns);
  json["latency_ns"] = or_null(figures.latency_ns);
  json["gap_ns"] = or_null(figures.gap_ns);
  json["queued_latency_ns"] = or_null(figures.queued_latency_ns);
  json["device_gap_ns"] = or_null(figures.device_gap_ns);
  json["work_ns"] = or_null(figures.work_ns);
  json["samples"] = figures.samples;
  json["n_kernels"] = or_null(figures.n_kernels);
  json["sm_mhz"] = or_null(figures.sm_mhz);
  json["busy_cycles"] = or_null(figures.cycles);
  json["clock_corrected_busy_ns"] = or_null(report::clock_corrected_ns(figures, max_sm_mhz));
}

void add_method(Json& json, const core::ImplementationResult& implementation) {
  const Measurement& measurement = implementation.measurement;
  const store::Method method = store::method_of(implementation);
  json["protocol"] = known(method.protocol);
  json["timing"] = known(method.timing);
  json["flush"] = known(method.flush);
  json["launch"] = known(method.launch);
  json["launch_reason"] = measurement.launch_reason;
  json["pacing"] = implementation.imported ? store::kUnknown : store::pacing_name(measurement.pacing);
  json["warmup_iterations"] = measurement.warmup_iterations;
  json["retries"] = measurement.retries;
  json["pass_medians_ns"] = measurement.pass_medians_ns;
}

Json json_of(const core::ImplementationResult& implementation, std::int32_t max_sm_mhz, bool with_samples) {
  const Measurement& measurement = implementation.measurement;
  const auto& imported = implementation.imported;
  Json json{{"name", imported && !imported->name.empty() ? imported->name : measurement.name},
            {"ours", measurement.name.empty()}};
  add_figures(json, core::figures_of(implementation), max_sm_mhz);
  add_method(json, implementation);
  json["iterations_asked"] = or_null(implementation.iterations_asked);
  json["kernel_groups"] = implementation.kernel_groups;
  json["groups"] = groups_json(implementation);
  json["launches"] = launches_json(implementation.launches);
  json["kernels"] = kernels_json(implementation);
  json["imported"] = json_of(imported);
  if (with_samples) json["sample_values"] = json_of(measurement);
  return json;
}

}  // namespace

Json json_of(const std::optional<core::Judgement>& judgement) {
  if (!judgement) return nullptr;
  return {{"verdict", core::to_string(judgement->verdict)},
          {"metric", core::to_string(judgement->metric)},
          {"baseline_ns", or_null(judgement->baseline_ns)},
          {"measured_ns", or_null(judgement->measured_ns)},
          {"change_pct", or_null(judgement->change_pct)},
          {"threshold_pct", or_null(judgement->threshold_pct)},
          {"detectable_pct", or_null(judgement->detectable_pct)},
          {"reason", judgement->reason},
          {"notes", judgement->notes},
          {"rule_version", judgement->rule_version},
          {"origin_change_pct", or_null(judgement->origin_change_pct)},
          {"subtick_change_pct", or_null(judgement->subtick_change_pct)},
          {"waiver", report::waiver_json(judgement->waiver)}};
}

// Seen before or after the measuring.
std::set<std::int32_t> other_processes(const core::Attempt& attempt) {
  std::set<std::int32_t> pids(attempt.before.other_processes.begin(), attempt.before.other_processes.end());
  pids.insert(attempt.after.other_processes.begin(), attempt.after.other_processes.end());
  return pids;
}

Json json_of(const core::Attempt& attempt, bool with_samples) {
  Json implementations = Json::array();
  for (const auto& implementation : attempt.implementations) {
    implementations.push_back(json_of(implementation, attempt.device.max_sm_mhz, with_samples));
  }
  Json json{{"number", attempt.number}, {"purpose", attempt.purpose}, {"status", core::to_string(attempt.status)}};
  json["error"] = attempt.error ? Json(store::name_of(*attempt.error)) : Json(nullptr);
  json["phase"] = attempt.phase;
  json["message"] = attempt.message;
  json["processes"] = attempt.processes;
  json["replayed"] = attempt.replayed;
  json["started_unix_ms"] = attempt.started_unix_ms;
  json["wall_ns"] = attempt.wall_ns;
  json["device"] = json_of(attempt.device);
  json["other_processes"] = other_processes(attempt);
  json["implementations"] = implementations;
  return json;
}

Json json_of(const core::CaseIdentity& identity) {
  return {{"op", identity.op},
          {"workload", identity.workload},
          {"dtype", identity.dtype},
          {"dimensions", identity.dimensions},
          {"params", identity.params},
          {"generator", identity.generator},
          {"copies", identity.copies},
          {"flops", or_null(identity.flops)},
          {"bytes_read", or_null(identity.bytes_read)},
          {"bytes_written", or_null(identity.bytes_written)},
          {"bytes", or_null(identity.bytes)}};
}

Json json_of(const store::RunInfo& run) {
  Json json = report::run_json(run);
  json["selected"] = run.selected;
  return json;
}

Json json_of(const store::RunInfo& run, const store::CaseResult& result, bool with_samples) {
  Json attempts = Json::array();
  for (const core::Attempt& attempt : result.attempts) attempts.push_back(json_of(attempt, with_samples));
  Json json{{"case", result.identity.name}, {"run", run.id}, {"run_uuid", run.uuid}, {"outcome", outcome_of(result)}};
  json["exit_code"] = result.exit_code ? Json(static_cast<int>(*result.exit_code)) : Json(nullptr);
  json["times_recorded"] = result.times_recorded;
  json["labels"] = result.labels;
  json["identity"] = json_of(result.identity);
  json["judgement"] = json_of(result.judgement);
  const core::Attempt* const deciding = deciding_attempt(result);
  const bool has_number = report::has_number(report::outcome_of(result));
  json["ceiling"] =
      report::ceiling_json(deciding != nullptr && has_number ? report::ceiling_of(result, *deciding) : std::nullopt);
  json["attempts"] = attempts;
  return json;
}

}  // namespace opgate::app
