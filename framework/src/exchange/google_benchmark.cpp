#include "exchange/google_benchmark.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

#include "core/statistics.hpp"
#include "exchange/fingerprint.hpp"
#include "exchange/values.hpp"
#include "opgate/error.hpp"
#include "text/json.hpp"

namespace opgate::exchange {

namespace {

using text::Json;

constexpr const char* kProtocol = "google-benchmark";

// All entries of one benchmark.
struct Benchmark {
  std::string name;
  std::vector<const Json*> iterations;            // one for each repetition
  std::map<std::string, const Json*> aggregates;  // by "mean", "median", ...
};

std::string string_of(const Json& entry, const char* key) {
  const Json* const value = entry.find(key);
  return value == nullptr ? std::string() : value->as_string();
}

bool is_true(const Json& entry, const char* key) {
  const Json* const value = entry.find(key);
  return value != nullptr && value->as_bool();
}

// Files from before 1.5 have no run_type and no run_name: there the ending tells an aggregate.
std::string aggregate_of(const Json& entry, std::string& name) {
  if (entry.find("run_type") != nullptr) {
    return entry.at("run_type").as_string() == "aggregate" ? entry.at("aggregate_name").as_string() : std::string();
  }
  for (const std::string_view ending : {"mean", "median", "stddev", "cv", "BigO", "RMS"}) {
    if (name.size() > ending.size() + 1 && name.ends_with(ending) && name[name.size() - ending.size() - 1] == '_') {
      name.resize(name.size() - ending.size() - 1);
      return std::string(ending);
    }
  }
  return {};
}

std::vector<Benchmark> group(const Json& entries) {
  std::vector<Benchmark> benchmarks;
  std::map<std::string, std::size_t> places;
  for (const Json& entry : entries.as_array()) {
    std::string name = entry.at("name").as_string();
    const std::string aggregate = aggregate_of(entry, name);
    if (const Json* run_name = entry.find("run_name")) name = run_name->as_string();
    if (const auto fault = fault_of_name(name)) throw entry.error(fault->what, fault->remedy);
    const auto [place, is_new] = places.try_emplace(name, benchmarks.size());
    if (benchmarks.size() + (is_new ? 1 : 0) > kMostResults) {
      throw entry.error(fmt::format("more than {} benchmarks", kMostResults), "split the file");
    }
    if (is_new) benchmarks.push_back({name, {}, {}});
    Benchmark& benchmark = benchmarks[place->second];
    if (aggregate.empty()) {
      benchmark.iterations.push_back(&entry);
    } else {
      benchmark.aggregates.emplace(aggregate, &entry);
    }
  }
  return benchmarks;
}

double nanoseconds(const Json& entry, const char* key) {
  const std::string unit = entry.find("time_unit") == nullptr ? "ns" : entry.at("time_unit").as_string();
  const auto power = power_of_unit(unit);
  if (!power) throw entry.at("time_unit").error(fmt::format("time_unit is '{:.40}'", unit), "write ns, us, ms or s");
  const Json& time = entry.at(key);
  const auto ns = scaled(time.as_number(), *power);
  if (!ns || !is_duration(*ns)) throw time.error(fmt::format("{} is no duration", key), "write a finite number");
  return *ns;
}

std::string timing_of(const std::string& name) {
  return name.find("/manual_time") != std::string::npos ? "manual-time" : "real-time";
}

// Counters, the label and the processor time: what the tool says beside its reading.
std::map<std::string, std::string> properties_of(const Json& entry) {
  constexpr std::array<std::string_view, 16> kRead = {
      "name",           "run_name",      "run_type",         "aggregate_name",
      "aggregate_unit", "repetitions",   "real_time",        "time_unit",
      "iterations",     "threads",       "repetition_index", "family_index",
      "error_occurred", "error_message", "skipped",          "per_family_instance_index"};
  std::map<std::string, std::string> properties;
  for (const auto& [key, value] : entry.as_object()) {
    if (std::find(kRead.begin(), kRead.end(), key) != kRead.end()) continue;
    const bool number = value.type() == Json::Type::number || value.type() == Json::Type::integer;
    if (number) properties.emplace(key, fmt::format("{}", value.as_number()));
    if (value.type() == Json::Type::string) properties.emplace(key, value.as_string());
  }
  if (const auto cpu = properties.extract("cpu_time")) {
    properties.emplace("cpu_time_ns", fmt::format("{}", nanoseconds(entry, "cpu_time")));
  }
  return properties;
}

core::ImplementationResult reading_of(const std::string& name, const Json& entry, core::Summary summary) {
  core::ImplementationResult result;
  result.imported.emplace();
  result.imported->protocol = kProtocol;
  result.imported->timing = timing_of(name);
  result.imported->properties = properties_of(entry);
  summary.latency_ns = summary.busy_ns;  // a wall clock sees one span and no kernels
  result.imported->summary = std::move(summary);
  return result;
}

// Why an entry has no number; "" when it has one.
std::string problem_of(const Json& entry, core::Status& status) {
  if (is_true(entry, "error_occurred")) {
    status = core::Status::failed;
    const std::string message = string_of(entry, "error_message");
    return message.empty() ? "the benchmark reported an error" : message;
  }
  if (is_true(entry, "skipped")) {
    status = core::Status::skipped;
    const std::string message = string_of(entry, "skip_message");
    return message.empty() ? "the benchmark was skipped" : message;
  }
  return {};
}

core::Attempt attempt_of(const Benchmark& benchmark, std::int64_t& ignored) {
  std::vector<double> passes;
  for (const Json* entry : benchmark.iterations) {
    core::Status status = core::Status::measured;
    if (const std::string why = problem_of(*entry, status); !why.empty()) return attempt_without_number(status, why);
    const double ns = nanoseconds(*entry, "real_time");
    if (ns > 0) {
      passes.push_back(ns);
    } else {
      ++ignored;
    }
  }
  core::Summary summary;
  const Json* entry = nullptr;
  if (!passes.empty()) {
    entry = benchmark.iterations.front();
    summary.busy_ns = core::median(passes);
    summary.statistic = passes.size() == 1 ? "mean" : "median";
    summary.readings = passes.size() == 1 ? entry->at("iterations").as_integer() : std::ssize(passes);
  } else if (benchmark.iterations.empty()) {
    const auto median = benchmark.aggregates.find("median");
    const auto found = median != benchmark.aggregates.end() ? median : benchmark.aggregates.find("mean");
    if (found != benchmark.aggregates.end()) {
      entry = found->second;
      core::Status status = core::Status::measured;
      if (const std::string why = problem_of(*entry, status); !why.empty()) return attempt_without_number(status, why);
      summary.busy_ns = nanoseconds(*entry, "real_time");
      summary.statistic = found->first;
      if (const Json* repetitions = entry->find("repetitions")) summary.readings = repetitions->as_integer();
    }
  }
  if (!(summary.busy_ns > 0)) {
    return attempt_without_number(core::Status::untrusted, "no reading above zero\n  fix: run the benchmark again");
  }
  core::Attempt attempt;
  attempt.status = core::Status::measured;
  attempt.implementations.push_back(reading_of(benchmark.name, *entry, summary));
  attempt.implementations.front().measurement.pass_medians_ns = std::move(passes);
  return attempt;
}

// Aggregates of a complexity fit have no time.
bool is_fit_only(const Benchmark& benchmark) {
  return benchmark.iterations.empty() && !benchmark.aggregates.contains("median") &&
         !benchmark.aggregates.contains("mean");
}

}  // namespace

ImportedFile parse_google_benchmark(std::string_view text, const std::string& name_for_messages,
                                    std::int64_t imported_unix_ms) {
  const Json root = text::parse_json(text, name_for_messages, ErrorKind::io);
  const Json& context = root.at("context");
  ImportedFile file;
  ImportedRun& run = file.runs.emplace_back();
  Fingerprint fingerprint;
  fingerprint.add(kProtocol);
  fingerprint.add(text);
  run.info.uuid = fingerprint.uuid();
  run.info.host = string_of(context, "host_name");
  run.info.started_unix_ms = run.info.closed_unix_ms.emplace(imported_unix_ms);
  if (const std::string date = string_of(context, "date"); !date.empty()) {
    const auto started = unix_ms_of(date);
    if (!started) throw context.at("date").error("date is no time", "write it as 2026-01-31T12:00:00+00:00");
    run.info.started_unix_ms = run.info.closed_unix_ms.emplace(*started);
  }
  for (const Benchmark& benchmark : group(root.at("benchmarks"))) {
    if (is_fit_only(benchmark)) continue;
    store::CaseResult result;
    result.identity.name = benchmark.name;
    result.identity.op = op_of(benchmark.name.substr(0, benchmark.name.find_first_of("/<")));
    core::Attempt attempt = attempt_of(benchmark, file.ignored);
    attempt.started_unix_ms = run.info.started_unix_ms;
    result.exit_code = exit_code_of(attempt.status);
    result.attempts.push_back(std::move(attempt));
    run.results.push_back(std::move(result));
  }
  if (run.results.empty()) throw root.at("benchmarks").error("there is no benchmark", "run at least one benchmark");
  finish(run);
  return file;
}

}  // namespace opgate::exchange
