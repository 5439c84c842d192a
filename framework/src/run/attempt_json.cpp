#include "run/attempt_json.hpp"

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <type_traits>
#include <utility>

#include "opgate/error.hpp"
#include "text/clear_error.hpp"

namespace opgate {

using Json = nlohmann::json;

namespace {

template <class T>
Json optional_json(const std::optional<T>& value) {
  if (!value) {
    return nullptr;
  }
  if constexpr (std::is_enum_v<T>) {
    return static_cast<int>(*value);
  } else {
    return *value;
  }
}

Error unreadable(const std::string& why) {
  return text::clear_error(ErrorKind::op, "the worker's result cannot be read: " + why, "worker",
                           "rebuild the op and the framework together");
}

// An enumerator up to `last`: a worker of another build may know more of them.
template <class T>
T enumerator(const Json& json, T last) {
  const auto value = json.get<std::int64_t>();
  if (value < 0 || value > static_cast<std::int64_t>(last)) {
    throw unreadable(std::to_string(value) + " stands for nothing that is known here");
  }
  return static_cast<T>(value);
}

template <class T>
std::optional<T> json_optional(const Json& json) {
  if (json.is_null()) {
    return std::nullopt;
  }
  if constexpr (std::is_enum_v<T>) {
    static_assert(std::is_same_v<T, ErrorKind>);
    return enumerator(json, ErrorKind::impossible);
  } else {
    return json.get<T>();
  }
}

}  // namespace

// Samples as rows: a case has hundreds of them, keys would be most of the text.
static void to_json(Json& json, const Sample& sample) {
  json = Json::array({sample.busy_ns, sample.latency_ns, sample.gap_ns, optional_json(sample.n_kernels),
                      optional_json(sample.sm_mhz), sample.group, optional_json(sample.work_ns)});
}

static void from_json(const Json& json, Sample& sample) {
  sample.busy_ns = json.at(0).get<std::int64_t>();
  sample.latency_ns = json.at(1).get<std::int64_t>();
  sample.gap_ns = json.at(2).get<std::int64_t>();
  sample.n_kernels = json_optional<std::int32_t>(json.at(3));
  sample.sm_mhz = json_optional<std::int32_t>(json.at(4));
  sample.group = json.at(5).get<std::uint32_t>();
  sample.work_ns = json_optional<std::int64_t>(json.at(6));
}

static void to_json(Json& json, const Measurement& measurement) {
  json = {{"name", measurement.name},
          {"samples", measurement.samples},
          {"protocol", static_cast<int>(measurement.protocol)},
          {"timing", static_cast<int>(measurement.timing)},
          {"flush", static_cast<int>(measurement.flush)},
          {"launch", static_cast<int>(measurement.launch)},
          {"launch_reason", measurement.launch_reason},
          {"pacing", measurement.pacing},
          {"warmup", measurement.warmup_iterations},
          {"retries", measurement.retries},
          {"pass_medians_ns", measurement.pass_medians_ns},
          {"device", measurement.device}};
}

static void from_json(const Json& json, Measurement& measurement) {
  measurement.name = json.at("name").get<std::string>();
  measurement.samples = json.at("samples").get<std::vector<Sample>>();
  measurement.protocol = enumerator(json.at("protocol"), Protocol::method_1);
  measurement.timing = enumerator(json.at("timing"), Timing::cuda_events);
  measurement.flush = enumerator(json.at("flush"), Flush::none);
  measurement.launch = enumerator(json.at("launch"), Launch::queued);
  measurement.launch_reason = json.at("launch_reason").get<std::string>();
  measurement.pacing = json.at("pacing").get<double>();
  measurement.warmup_iterations = json.at("warmup").get<int>();
  measurement.retries = json.at("retries").get<int>();
  measurement.pass_medians_ns = json.at("pass_medians_ns").get<std::vector<double>>();
  measurement.device = json.at("device").get<std::int32_t>();
}

namespace core {

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(KernelInfo, name, grid, block, registers, static_shared_bytes, dynamic_shared_bytes)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(GroupLaunches, kernels, copies)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(DeviceIdentity, name, uuid, driver, cuda, cupti, index, sm_count, l2_bytes,
                                   memory_bytes, compute_capability, max_sm_mhz, tick_ns)

static void to_json(Json& json, const ImplementationResult& result) {
  json = {{"measurement", result.measurement},
          {"kernels", result.kernels},
          {"kernel_groups", result.kernel_groups},
          {"launches", result.launches},
          {"iterations_asked", optional_json(result.iterations_asked)}};
}

static void from_json(const Json& json, ImplementationResult& result) {
  result.measurement = json.at("measurement").get<Measurement>();
  result.kernels = json.at("kernels").get<std::vector<KernelInfo>>();
  result.kernel_groups = json.at("kernel_groups").get<std::vector<std::string>>();
  result.launches = json.at("launches").get<std::vector<GroupLaunches>>();
  result.iterations_asked = json_optional<int>(json.at("iterations_asked"));
}

static void to_json(Json& json, const DeviceState& state) {
  json = {{"sm_mhz", optional_json(state.sm_mhz)},
          {"memory_mhz", optional_json(state.memory_mhz)},
          {"temperature_c", optional_json(state.temperature_c)},
          {"power_mw", optional_json(state.power_mw)},
          {"throttle_reasons", optional_json(state.throttle_reasons)},
          {"other_processes", state.other_processes}};
}

static void from_json(const Json& json, DeviceState& state) {
  state.sm_mhz = json_optional<std::int32_t>(json.at("sm_mhz"));
  state.memory_mhz = json_optional<std::int32_t>(json.at("memory_mhz"));
  state.temperature_c = json_optional<std::int32_t>(json.at("temperature_c"));
  state.power_mw = json_optional<std::int32_t>(json.at("power_mw"));
  state.throttle_reasons = json_optional<std::uint64_t>(json.at("throttle_reasons"));
  state.other_processes = json.at("other_processes").get<std::vector<std::int32_t>>();
}

}  // namespace core

namespace run {

std::string format_attempt(const core::Attempt& attempt) {
  const Json json = {{"number", attempt.number},
                     {"purpose", attempt.purpose},
                     {"status", static_cast<int>(attempt.status)},
                     {"error", optional_json(attempt.error)},
                     {"phase", attempt.phase},
                     {"message", attempt.message},
                     {"implementations", attempt.implementations},
                     {"device", attempt.device},
                     {"before", attempt.before},
                     {"after", attempt.after},
                     {"started_unix_ms", attempt.started_unix_ms},
                     {"wall_ns", attempt.wall_ns},
                     {"phase_wall_ns", attempt.phase_wall_ns},
                     {"replayed", attempt.replayed}};
  // An op's message may hold bytes that are no UTF-8; they must not lose the row.
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

core::Attempt parse_attempt(const std::string& line) {
  try {
    const Json json = Json::parse(line);
    core::Attempt attempt;
    attempt.number = json.at("number").get<int>();
    attempt.purpose = json.at("purpose").get<std::string>();
    attempt.status = enumerator(json.at("status"), core::Status::running);
    attempt.error = json_optional<ErrorKind>(json.at("error"));
    attempt.phase = json.at("phase").get<std::string>();
    attempt.message = json.at("message").get<std::string>();
    attempt.implementations = json.at("implementations").get<std::vector<core::ImplementationResult>>();
    attempt.device = json.at("device").get<core::DeviceIdentity>();
    attempt.before = json.at("before").get<core::DeviceState>();
    attempt.after = json.at("after").get<core::DeviceState>();
    attempt.started_unix_ms = json.at("started_unix_ms").get<std::int64_t>();
    attempt.wall_ns = json.at("wall_ns").get<std::int64_t>();
    attempt.phase_wall_ns = json.at("phase_wall_ns").get<std::map<std::string, std::int64_t>>();
    attempt.replayed = json.at("replayed").get<bool>();
    return attempt;
  } catch (const Json::exception& error) {
    throw unreadable(error.what());
  }
}

}  // namespace run
}  // namespace opgate
