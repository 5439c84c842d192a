#include "store/json_columns.hpp"

#include <nlohmann/json.hpp>
#include <optional>

namespace opgate::store {
namespace {

using nlohmann::json;

// Names and messages come from outside and may be no UTF-8; such bytes are replaced rather than the row refused.
std::string dump(const json& value) {
  return value.dump(-1, ' ', false, json::error_handler_t::replace);
}

template <class Read>
auto parsed(const std::string& text, Read read) {
  try {
    return read(json::parse(text));
  } catch (const json::exception& e) {
    throw Error(ErrorKind::history, std::string("a stored detail cannot be read: ") + e.what(), {},
                "restore a copy made by `opgate backup`");
  }
}

template <class T>
void put(json& object, const char* key, const std::optional<T>& value) {
  if (value) {
    object[key] = *value;
  }
}

template <class T>
std::optional<T> take(const json& object, const char* key) {
  const auto found = object.find(key);
  return found == object.end() ? std::nullopt : std::optional(found->template get<T>());
}

json state_json(const core::DeviceState& state) {
  json object = json::object();
  put(object, "sm_mhz", state.sm_mhz);
  put(object, "memory_mhz", state.memory_mhz);
  put(object, "temperature_c", state.temperature_c);
  put(object, "power_mw", state.power_mw);
  put(object, "throttle_reasons", state.throttle_reasons);
  if (!state.other_processes.empty()) {
    object["other_processes"] = state.other_processes;
  }
  return object;
}

core::DeviceState state_of(const json& object) {
  core::DeviceState state;
  state.sm_mhz = take<std::int32_t>(object, "sm_mhz");
  state.memory_mhz = take<std::int32_t>(object, "memory_mhz");
  state.temperature_c = take<std::int32_t>(object, "temperature_c");
  state.power_mw = take<std::int32_t>(object, "power_mw");
  state.throttle_reasons = take<std::uint64_t>(object, "throttle_reasons");
  state.other_processes = take<std::vector<std::int32_t>>(object, "other_processes").value_or(std::vector<int>{});
  return state;
}

}  // namespace

std::string to_json(const AttemptDetail& detail) {
  json object = {{"before", state_json(detail.before)},
                 {"after", state_json(detail.after)},
                 {"phase_wall_ns", json(detail.phase_wall_ns)}};
  if (detail.processes != 1) {
    object["processes"] = detail.processes;
  }
  return dump(object);
}

AttemptDetail attempt_detail(const std::string& text) {
  return parsed(text, [](const json& object) {
    return AttemptDetail{state_of(object.at("before")), state_of(object.at("after")),
                         object.at("phase_wall_ns").get<std::map<std::string, std::int64_t>>(),
                         object.value("processes", 1)};
  });
}

std::string to_json(const core::CaseIdentity& identity) {
  json object = {{"op", identity.op},
                 {"workload", identity.workload},
                 {"dtype", identity.dtype},
                 {"dimensions", json(identity.dimensions)},
                 {"params", json(identity.params)},
                 {"generator", identity.generator},
                 {"copies", identity.copies}};
  put(object, "flops", identity.flops);
  put(object, "bytes_read", identity.bytes_read);
  put(object, "bytes_written", identity.bytes_written);
  put(object, "bytes", identity.bytes);
  return dump(object);
}

core::CaseIdentity case_identity(const std::string& name, const std::string& text) {
  return parsed(text, [&](const json& object) {
    core::CaseIdentity identity;
    identity.name = name;
    identity.op = object.at("op").get<std::string>();
    identity.workload = object.at("workload").get<std::string>();
    identity.dtype = object.at("dtype").get<std::string>();
    identity.dimensions = object.at("dimensions").get<std::map<std::string, std::int64_t>>();
    identity.params = object.at("params").get<std::map<std::string, double>>();
    identity.generator = object.at("generator").get<std::string>();
    identity.copies = object.at("copies").get<std::string>();
    identity.flops = take<double>(object, "flops");
    identity.bytes_read = take<double>(object, "bytes_read");
    identity.bytes_written = take<double>(object, "bytes_written");
    identity.bytes = take<double>(object, "bytes");
    return identity;
  });
}

std::string to_json(const core::Imported& imported) {
  json object = json::object();
  if (!imported.name.empty()) object["name"] = imported.name;
  if (!imported.properties.empty()) object["properties"] = imported.properties;
  if (const auto& summary = imported.summary) {
    const auto& [busy_ns, statistic, p10_ns, p90_ns, latency_ns, gap_ns, sm_mhz, readings, n_kernels] = *summary;
    json figures = {{"busy_ns", busy_ns}, {"statistic", statistic}};
    put(figures, "p10_ns", p10_ns);
    put(figures, "p90_ns", p90_ns);
    put(figures, "latency_ns", latency_ns);
    put(figures, "gap_ns", gap_ns);
    put(figures, "sm_mhz", sm_mhz);
    put(figures, "readings", readings);
    put(figures, "n_kernels", n_kernels);
    object["summary"] = figures;
  }
  return dump(object);
}

core::Imported imported_reading(const std::string& text) {
  return parsed(text, [](const json& object) {
    core::Imported imported;
    imported.name = object.value("name", "");
    imported.properties = take<std::map<std::string, std::string>>(object, "properties").value_or(imported.properties);
    if (const auto found = object.find("summary"); found != object.end()) {
      imported.summary = core::Summary{.busy_ns = found->at("busy_ns").get<double>(),
                                       .statistic = found->at("statistic").get<std::string>(),
                                       .p10_ns = take<double>(*found, "p10_ns"),
                                       .p90_ns = take<double>(*found, "p90_ns"),
                                       .latency_ns = take<double>(*found, "latency_ns"),
                                       .gap_ns = take<double>(*found, "gap_ns"),
                                       .sm_mhz = take<double>(*found, "sm_mhz"),
                                       .readings = take<std::int64_t>(*found, "readings"),
                                       .n_kernels = take<std::int32_t>(*found, "n_kernels")};
    }
    return imported;
  });
}

std::string to_json(const core::RuleOptions& rule) {
  // Naming every member keeps a new one from being left out of the store.
  const auto& [tolerance, other_unit_extra, ticks, noise_factor, min_runs, clock_contradiction, min_group_samples,
               share_tolerance, outlier_runs, creep_budget, clear_factor, version] = rule;
  return dump({{"tolerance", tolerance},
               {"other_unit_extra", other_unit_extra},
               {"ticks", ticks},
               {"noise_factor", noise_factor},
               {"min_runs", min_runs},
               {"clock_contradiction", clock_contradiction},
               {"min_group_samples", min_group_samples},
               {"share_tolerance", share_tolerance},
               {"outlier_runs", outlier_runs},
               {"creep_budget", creep_budget},
               {"clear_factor", clear_factor},
               {"version", version}});
}

core::RuleOptions rule_options(const std::string& text) {
  return parsed(text, [](const json& object) {
    core::RuleOptions rule;
    rule.tolerance = object.at("tolerance").get<double>();
    rule.other_unit_extra = object.at("other_unit_extra").get<double>();
    rule.ticks = object.at("ticks").get<int>();
    rule.noise_factor = object.at("noise_factor").get<double>();
    rule.min_runs = object.at("min_runs").get<int>();
    rule.clock_contradiction = object.at("clock_contradiction").get<double>();
    rule.min_group_samples = object.at("min_group_samples").get<int>();
    rule.share_tolerance = object.at("share_tolerance").get<double>();
    // Rows of rule 1 have none of these.
    rule.outlier_runs = take<int>(object, "outlier_runs").value_or(rule.outlier_runs);
    rule.creep_budget = take<double>(object, "creep_budget").value_or(rule.creep_budget);
    rule.clear_factor = take<double>(object, "clear_factor").value_or(rule.clear_factor);
    rule.version = take<int>(object, "version").value_or(1);
    return rule;
  });
}

std::string to_json(const core::Waiver& waiver) {
  const auto& [case_name, device, owner, reason, expires] = waiver;
  return dump({{"case", case_name}, {"device", device}, {"owner", owner}, {"reason", reason}, {"expires", expires}});
}

core::Waiver waiver(const std::string& text) {
  return parsed(text, [](const json& object) {
    return core::Waiver{object.at("case").get<std::string>(), object.at("device").get<std::string>(),
                        object.at("owner").get<std::string>(), object.at("reason").get<std::string>(),
                        object.at("expires").get<std::string>()};
  });
}

std::string to_json(const KernelSet& set) {
  json kernels = json::array();
  for (const core::KernelInfo& kernel : set.kernels) {
    kernels.push_back({{"name", kernel.name},
                       {"grid", kernel.grid},
                       {"block", kernel.block},
                       {"registers", kernel.registers},
                       {"static_shared_bytes", kernel.static_shared_bytes},
                       {"dynamic_shared_bytes", kernel.dynamic_shared_bytes}});
  }
  json object = {{"kernels", kernels}, {"groups", set.groups}};
  for (const core::GroupLaunches& launches : set.launches) {
    object["launches"].push_back({{"kernels", launches.kernels}, {"copies", launches.copies}});
  }
  return dump(object);
}

KernelSet kernel_set(const std::string& text) {
  return parsed(text, [](const json& object) {
    KernelSet set;
    for (const json& kernel : object.at("kernels")) {
      set.kernels.push_back({kernel.at("name").get<std::string>(), kernel.at("grid").get<std::array<std::int32_t, 3>>(),
                             kernel.at("block").get<std::array<std::int32_t, 3>>(), kernel.at("registers").get<int>(),
                             kernel.at("static_shared_bytes").get<int>(),
                             kernel.at("dynamic_shared_bytes").get<int>()});
    }
    set.groups = object.at("groups").get<std::vector<std::string>>();
    for (const json& launches : object.value("launches", json::array())) {
      set.launches.push_back(
          {launches.at("kernels").get<std::map<std::string, int>>(), launches.at("copies").get<int>()});
    }
    return set;
  });
}

std::string to_json(const std::vector<core::GroupReading>& groups) {
  json list = json::array();
  for (const core::GroupReading& group : groups) {
    json object{{"name", group.name},
                {"share", group.share},
                {"time_ns", group.reading.time_ns},
                {"samples", group.reading.samples}};
    put(object, "cycles", group.reading.cycles);
    put(object, "trimmed_ns", group.reading.trimmed_ns);
    list.push_back(std::move(object));
  }
  return dump(list);
}

std::vector<core::GroupReading> group_readings(const std::string& text) {
  return parsed(text, [](const json& list) {
    std::vector<core::GroupReading> groups;
    for (const json& object : list) {
      groups.push_back({object.at("name").get<std::string>(),
                        object.at("share").get<double>(),
                        {object.at("time_ns").get<double>(), take<double>(object, "cycles"),
                         take<double>(object, "trimmed_ns"), object.at("samples").get<int>()}});
    }
    return groups;
  });
}

std::string to_json(const std::vector<std::string>& words) {
  return dump(json(words));
}

std::vector<std::string> string_list(const std::string& text) {
  return parsed(text, [](const json& list) { return list.get<std::vector<std::string>>(); });
}

std::string to_json(const std::vector<double>& numbers) {
  return dump(json(numbers));
}

std::vector<double> number_list(const std::string& text) {
  return parsed(text, [](const json& list) { return list.get<std::vector<double>>(); });
}

}  // namespace opgate::store
