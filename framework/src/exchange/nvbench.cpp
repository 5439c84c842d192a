#include "exchange/nvbench.hpp"

#include <fmt/format.h>

#include <array>
#include <map>

#include "exchange/fingerprint.hpp"
#include "exchange/values.hpp"
#include "opgate/error.hpp"
#include "text/json.hpp"

namespace opgate::exchange {

namespace {

using text::Json;

// One way in which NVBench measures a state; the tags of its summaries begin with `prefix`.
struct Way {
  const char* prefix;
  const char* suffix;    // of the case
  const char* protocol;  // a mean and a median are never compared: "-mean" is added
  const char* timing;
  const char* time;  // between prefix and statistic
};
constexpr std::array kWays{Way{"nv/cold/", "", "nvbench-cold", "cuda-events", "time/gpu/"},
                           Way{"nv/batch/", "/batch", "nvbench-batch", "cuda-events", "time/gpu/"},
                           Way{"nv/cpu_only/", "/cpu", "nvbench-cpu-only", "wall-clock", "time/cpu/"}};

// Numbers are written as strings: JSON readers that hold doubles only would round 64-bit integers.
std::string text_of(const Json& value) {
  return value.type() == Json::Type::string ? value.as_string() : fmt::format("{}", value.as_number());
}

double real_of(const Json& value, int power) {
  const std::string text = text_of(value);
  const auto number = scaled(text, power);
  if (!number) throw value.error(fmt::format("'{:.40}' is no finite number", text), "write a finite number");
  return *number;
}

std::int64_t integer_of(const Json& value) {
  if (value.type() == Json::Type::integer) return value.as_integer();
  const auto number = integer(value.as_string());
  if (!number) throw value.error(fmt::format("'{:.40}' is no integer", value.as_string()), "write an integer");
  return *number;
}

// The value of each summary that has one, by tag.
std::map<std::string, const Json*> summaries_of(const Json& state) {
  std::map<std::string, const Json*> values;
  const Json* const summaries = state.find("summaries");
  if (summaries == nullptr || summaries->type() == Json::Type::null) return values;
  if (summaries->type() == Json::Type::object) {
    throw summaries->error("this layout is older than NVBench's JSON 1.0", "run the benchmark with a newer NVBench");
  }
  for (const Json& summary : summaries->as_array()) {
    const Json* const data = summary.find("data");
    if (data == nullptr || data->type() == Json::Type::null) continue;
    for (const Json& item : data->as_array()) {
      if (item.at("name").as_string() == "value") values.emplace(summary.at("tag").as_string(), &item.at("value"));
    }
  }
  return values;
}

core::CaseIdentity identity_of(const std::string& benchmark, const Json& state) {
  core::CaseIdentity identity;
  identity.name = benchmark;
  identity.op = op_of(benchmark);
  const Json* const axes = state.find("axis_values");
  if (axes == nullptr || axes->type() == Json::Type::null) return identity;
  for (const Json& axis : axes->as_array()) {
    const std::string& name = axis.at("name").as_string();
    const std::string& type = axis.at("type").as_string();
    const Json& value = axis.at("value");
    if (type == "int64") identity.dimensions.emplace(name, integer_of(value));
    if (type == "float64") identity.params.emplace(name, real_of(value, 0));
    identity.name += fmt::format("/{}={}", name, text_of(value));
  }
  return identity;
}

// By id; the last entry of an id counts.
std::map<std::int64_t, core::DeviceIdentity> devices_of(const Json& root) {
  std::map<std::int64_t, core::DeviceIdentity> devices;
  for (const Json& device : root.at("devices").as_array()) {
    const std::int64_t id = device.at("id").as_integer();
    core::DeviceIdentity& identity = devices[id];
    const auto integer_at = [&](const char* key) {
      return device.find(key) != nullptr ? device.at(key).as_integer() : 0;
    };
    const auto small = [&](const char* key, std::int64_t divisor) {
      const std::int64_t value = integer_at(key) / divisor;
      return value < 0 || value > INT32_MAX ? 0 : static_cast<std::int32_t>(value);
    };
    identity.name = device.at("name").as_string();
    identity.index = static_cast<std::int32_t>(id);
    identity.sm_count = small("number_of_sms", 1);
    identity.compute_capability = small("sm_version", 10);
    identity.max_sm_mhz = small("sm_default_clock_rate", 1'000'000);
    identity.l2_bytes = integer_at("l2_cache_size");
    identity.memory_bytes = integer_at("global_memory_size");
  }
  return devices;
}

class StateReader {
 public:
  StateReader(const Json& state, const core::CaseIdentity& identity)
      : state_(state), identity_(identity), values_(summaries_of(state)) {}

  [[nodiscard]] std::vector<store::CaseResult> results() const {
    const Json* const skipped = state_.find("is_skipped");
    if (skipped != nullptr && skipped->as_bool()) {
      const Json* const reason = state_.find("skip_reason");
      return {result(kWays.front(), attempt_without_number(core::Status::skipped,
                                                           reason == nullptr ? "skipped" : reason->as_string()))};
    }
    std::vector<store::CaseResult> results;
    for (const Way& way : kWays) {
      if (auto attempt = measured(way)) results.push_back(result(way, std::move(*attempt)));
    }
    if (results.empty()) {
      results.push_back(result(kWays.front(), attempt_without_number(core::Status::failed, "the state has no time")));
    }
    return results;
  }

 private:
  [[nodiscard]] const Json* value(const Way& way, const std::string& tag) const {
    const auto found = values_.find(way.prefix + tag);
    return found == values_.end() ? nullptr : found->second;
  }

  [[nodiscard]] store::CaseResult result(const Way& way, core::Attempt attempt) const {
    store::CaseResult result;
    result.identity = identity_;
    result.identity.name += way.suffix;
    result.exit_code = exit_code_of(attempt.status);
    result.attempts.push_back(std::move(attempt));
    return result;
  }

  // Absent when the state was not measured this way.
  [[nodiscard]] std::optional<core::Attempt> measured(const Way& way) const {
    const std::string time = way.time;
    const Json* const median = value(way, time + "median");
    const Json* const found = median != nullptr ? median : value(way, time + "mean");
    if (found == nullptr) return std::nullopt;
    core::Summary summary;
    summary.busy_ns = real_of(*found, 9);
    if (!is_duration(summary.busy_ns) || !(summary.busy_ns > 0)) {
      throw found->error("the time is no duration above zero", "run the benchmark again");
    }
    summary.latency_ns = summary.busy_ns;  // a pair of events sees one span and no kernels
    summary.statistic = median != nullptr ? "median" : "mean";
    if (const Json* size = value(way, "sample_size")) summary.readings = integer_of(*size);
    if (const Json* clock = value(way, "sm_clock_rate/mean")) summary.sm_mhz = real_of(*clock, -6);
    core::ImplementationResult reading;
    reading.imported.emplace();
    reading.imported->protocol = way.protocol + std::string(median != nullptr ? "" : "-mean");
    reading.imported->timing = way.timing;
    for (const auto& [tag, item] : values_) {
      if (tag.starts_with(way.prefix)) reading.imported->properties.emplace(tag, text_of(*item));
    }
    reading.imported->summary = summary;
    core::Attempt attempt;
    attempt.status = core::Status::measured;
    attempt.implementations.push_back(std::move(reading));
    return attempt;
  }

  const Json& state_;
  const core::CaseIdentity& identity_;
  std::map<std::string, const Json*> values_;
};

}  // namespace

ImportedFile parse_nvbench(std::string_view text, const std::string& name_for_messages, std::int64_t imported_unix_ms) {
  const Json root = text::parse_json(text, name_for_messages, ErrorKind::io);
  const std::map<std::int64_t, core::DeviceIdentity> devices = devices_of(root);
  std::map<std::int64_t, ImportedRun> runs;  // by device, -1 for none
  std::size_t results = 0;
  for (const Json& benchmark : root.at("benchmarks").as_array()) {
    const Json* const states = benchmark.find("states");
    if (states == nullptr || states->type() == Json::Type::null) continue;
    results += states->as_array().size();
    if (results > kMostResults) throw states->error(fmt::format("more than {} states", kMostResults), "split the file");
    for (const Json& state : states->as_array()) {
      const core::CaseIdentity identity = identity_of(benchmark.at("name").as_string(), state);
      if (const auto fault = fault_of_name(identity.name)) throw state.error(fault->what, fault->remedy);
      const Json* const device = state.find("device");
      const std::int64_t id = device == nullptr || device->type() == Json::Type::null ? -1 : device->as_integer();
      for (store::CaseResult& result : StateReader(state, identity).results()) {
        if (const auto known = devices.find(id); known != devices.end()) {
          result.attempts.front().device = known->second;
        }
        result.attempts.front().started_unix_ms = imported_unix_ms;
        runs[id].results.push_back(std::move(result));
      }
    }
  }
  if (runs.empty()) throw root.at("benchmarks").error("no benchmark has a state", "run at least one benchmark");
  ImportedFile file;
  for (auto& [id, run] : runs) {
    Fingerprint fingerprint;
    fingerprint.add("nvbench");
    fingerprint.add(id);
    fingerprint.add(text);
    run.info.uuid = fingerprint.uuid();
    run.info.started_unix_ms = run.info.closed_unix_ms.emplace(imported_unix_ms);
    finish(run);
    file.runs.push_back(std::move(run));
  }
  return file;
}

}  // namespace opgate::exchange
