#include <set>

#include "app/command_result.hpp"
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

Json json_of(const std::vector<Sample>& samples) {
  Json busy = Json::array();
  Json latency = Json::array();
  Json kernels = Json::array();
  Json clocks = Json::array();
  Json groups = Json::array();
  for (const Sample& sample : samples) {
    busy.push_back(sample.busy_ns);
    latency.push_back(sample.latency_ns);
    kernels.push_back(or_null(sample.n_kernels));
    clocks.push_back(or_null(sample.sm_mhz));
    groups.push_back(sample.group);
  }
  return {{"busy_ns", busy}, {"latency_ns", latency}, {"n_kernels", kernels}, {"sm_mhz", clocks}, {"group", groups}};
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

Json json_of(const core::ImplementationResult& implementation, bool with_samples) {
  const Figures figures = figures_of(implementation);
  const Measurement& measurement = implementation.measurement;
  Json kernels = Json::array();
  for (const core::KernelInfo& kernel : implementation.kernels) {
    kernels.push_back(
        {{"name", kernel.name}, {"grid", kernel.grid}, {"block", kernel.block}, {"registers", kernel.registers}});
  }
  const auto& imported = implementation.imported;
  const store::Method method = store::method_of(implementation);
  Json json{{"name", imported && !imported->name.empty() ? imported->name : measurement.name},
            {"ours", measurement.name.empty()},
            {"busy_ns", or_null(figures.busy_ns)},
            {"p10_ns", or_null(figures.p10_ns)},
            {"p90_ns", or_null(figures.p90_ns)},
            {"latency_ns", or_null(figures.latency_ns)},
            {"samples", figures.samples},
            {"n_kernels", or_null(figures.n_kernels)},
            {"sm_mhz", or_null(figures.sm_mhz)},
            {"protocol", known(method.protocol)},
            {"timing", known(method.timing)},
            {"flush", known(method.flush)},
            {"launch", known(method.launch)},
            {"retries", measurement.retries},
            {"pass_medians_ns", measurement.pass_medians_ns},
            {"kernel_groups", implementation.kernel_groups},
            {"kernels", kernels},
            {"imported", json_of(imported)}};
  if (with_samples) json["sample_values"] = json_of(measurement.samples);
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
          {"notes", judgement->notes}};
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
    implementations.push_back(json_of(implementation, with_samples));
  }
  Json json{{"number", attempt.number}, {"purpose", attempt.purpose}, {"status", core::to_string(attempt.status)}};
  json["error"] = attempt.error ? Json(store::name_of(*attempt.error)) : Json(nullptr);
  json["phase"] = attempt.phase;
  json["message"] = attempt.message;
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
  return {{"run", run.id},
          {"uuid", run.uuid},
          {"origin", run.origin},
          {"started_unix_ms", run.started_unix_ms},
          {"closed_unix_ms", or_null(run.closed_unix_ms)},
          {"host", run.host},
          {"commit", run.commit},
          {"dirty", run.dirty},
          {"replayed", run.replayed},
          {"label", run.label},
          {"selected", run.selected}};
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
  json["attempts"] = attempts;
  return json;
}

}  // namespace opgate::app
