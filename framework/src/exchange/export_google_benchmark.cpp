#include "exchange/export_google_benchmark.hpp"

#include <nlohmann/json.hpp>

#include "exchange/export_values.hpp"

namespace opgate::exchange {

namespace {

using Json = nlohmann::ordered_json;

const core::ImplementationResult* ours_of(const core::Attempt& attempt) {
  for (const core::ImplementationResult& one : attempt.implementations) {
    if (one.measurement.name.empty()) return &one;
  }
  return nullptr;
}

void add(Json& entry, const char* key, const std::optional<double>& value) {
  if (value) entry[key] = *value;
}

void add_figures(Json& entry, const core::SampleFigures& figures, const core::CaseIdentity& identity) {
  entry["iterations"] = figures.samples > 0 ? figures.samples : 1;
  entry["real_time"] = *figures.busy_ns;
  entry["cpu_time"] = *figures.busy_ns;
  entry["time_unit"] = "ns";
  // Counters: any further number of an entry.
  add(entry, "p10_ns", figures.p10_ns);
  add(entry, "p90_ns", figures.p90_ns);
  add(entry, "latency_ns", figures.latency_ns);
  add(entry, "gap_ns", figures.gap_ns);
  add(entry, "sm_mhz", figures.sm_mhz);
  if (figures.n_kernels) entry["n_kernels"] = *figures.n_kernels;
  if (identity.flops) entry["tflops"] = *identity.flops / *figures.busy_ns / 1e3;
}

void add_problem(Json& entry, const store::CaseResult& result) {
  const bool skipped = result.exit_code == core::ExitCode::skipped;
  entry["iterations"] = 0;
  entry[skipped ? "skipped" : "error_occurred"] = true;
  entry[skipped ? "skip_message" : "error_message"] = printable(reason_of(result));
  // As Google Benchmark itself writes them of an entry without a reading.
  entry["real_time"] = 0.0;
  entry["cpu_time"] = 0.0;
  entry["time_unit"] = "ns";
}

Json entry_of(const store::CaseResult& result, std::size_t index) {
  const std::string name = printable(result.identity.name);
  Json entry{{"name", name},
             {"family_index", index},
             {"per_family_instance_index", 0},
             {"run_name", name},
             {"run_type", "iteration"},
             {"repetitions", 1},
             {"repetition_index", 0},
             {"threads", 1}};
  const core::Attempt* const attempt = measured_attempt(result);
  const core::ImplementationResult* const ours = attempt != nullptr ? ours_of(*attempt) : nullptr;
  const core::SampleFigures figures = ours != nullptr ? core::figures_of(*ours) : core::SampleFigures{};
  if (figures.busy_ns) {
    add_figures(entry, figures, result.identity);
  } else {
    add_problem(entry, result);
  }
  return entry;
}

}  // namespace

std::string google_benchmark_of(const store::RunInfo& run, const std::vector<store::CaseResult>& results) {
  Json context{{"date", iso_8601(run.started_unix_ms)},
               {"host_name", printable(run.host)},
               {"executable", "opgate"},
               {"library_build_type", "release"},
               {"caches", Json::array()},
               {"commit", printable(run.commit)},
               {"opgate_run", run.uuid}};
  Json entries = Json::array();
  for (std::size_t i = 0; i < results.size(); ++i) entries.push_back(entry_of(results[i], i));
  return Json{{"context", std::move(context)}, {"benchmarks", std::move(entries)}}.dump(2) + "\n";
}

}  // namespace opgate::exchange
