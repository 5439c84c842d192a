#include "store/baseline_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string_view>
#include <system_error>
#include <utility>

#include "core/statistics.hpp"
#include "opgate/error.hpp"
#include "text/file.hpp"
#include "text/json.hpp"
#include "text/json_write.hpp"
#include "text/slug.hpp"

namespace opgate::store {
namespace {

namespace fs = std::filesystem;
using text::Json;

constexpr std::int64_t kVersion = 2;  // 1: without origin, libraries and subtick
constexpr std::int64_t kOldestVersion = 1;
constexpr ErrorKind kKind = ErrorKind::baseline;

// Conditions as the file spells them; the device's name is told once, at the top.
struct ConditionField {
  const char* key;
  std::string core::Conditions::*field;
  const char* older = nullptr;  // what a file means that was written before there was such a word
};
constexpr std::array<ConditionField, 8> kConditions = {{{"cuda", &core::Conditions::cuda},
                                                        {"driver_branch", &core::Conditions::driver_branch},
                                                        {"flush", &core::Conditions::flush},
                                                        {"launch", &core::Conditions::launch, "direct"},
                                                        {"pacing", &core::Conditions::pacing, "none"},
                                                        {"processes", &core::Conditions::processes, "1"},
                                                        {"protocol", &core::Conditions::protocol},
                                                        {"timing", &core::Conditions::timing}}};

std::string string_as_json(std::string_view value) {
  return text::json_string(value, kKind);
}
std::string number_as_json(double value) {
  return text::json_number(value, kKind);
}

// Members in the order of their keys, so that equal content is equal text.
using Members = std::map<std::string, std::string>;

std::string one_line(const Members& members) {
  std::string line = "{";
  for (const auto& [key, value] : members)
    line += fmt::format("{}{}: {}", line.size() > 1 ? ", " : "", string_as_json(key), value);
  return line + "}";
}

std::string lines(const Members& members, int indent) {
  if (members.empty()) return "{}";
  std::string text = "{";
  for (const auto& [key, value] : members) {
    text += fmt::format("{}\n{:{}}{}: {}", text.size() > 1 ? "," : "", "", indent + 2, string_as_json(key), value);
  }
  return text + fmt::format("\n{:{}}}}", "", indent);
}

template <class Values, class Format>
std::string list(const Values& values, Format format) {
  std::string text = "[";
  for (const auto& value : values) text += (text.size() > 1 ? ", " : "") + format(value);
  return text + "]";
}

template <class Map, class Format>
std::string map_line(const Map& values, Format format) {
  Members members;
  for (const auto& [key, value] : values) members.emplace(key, format(value));
  return one_line(members);
}

std::string format_metric(const core::MetricBaseline& metric) {
  return one_line({{"centre_ns", number_as_json(metric.centre_ns)},
                   {"noise_ns", number_as_json(metric.noise_ns)},
                   {"run_medians_ns", list(metric.run_medians_ns, number_as_json)}});
}

std::string format_origin(const core::Origin& origin) {
  Members members{{"commit", string_as_json(origin.commit)},
                  {"time_ns", number_as_json(origin.time_ns)},
                  {"when", string_as_json(origin.when)}};
  if (origin.cycles) members.emplace("cycles", number_as_json(*origin.cycles));
  return one_line(members);
}

std::string format_unit(const core::UnitBaseline& unit) {
  Members members;
  if (unit.subtick) members.emplace("subtick", format_metric(*unit.subtick));
  if (unit.origin) members.emplace("origin", format_origin(*unit.origin));
  if (!unit.libraries.empty()) members.emplace("libraries", map_line(unit.libraries, format_unit));
  if (unit.time) members.emplace("time", format_metric(*unit.time));
  if (unit.cycles) members.emplace("cycles", format_metric(*unit.cycles));
  if (!unit.group_shares.empty()) members.emplace("group_shares", map_line(unit.group_shares, number_as_json));
  if (!unit.groups.empty()) members.emplace("groups", map_line(unit.groups, format_unit));
  return one_line(members);
}

std::string format_identity(const core::CaseIdentity& identity) {
  Members members = {
      {"workload", string_as_json(identity.workload)},
      {"dtype", string_as_json(identity.dtype)},
      {"dimensions", map_line(identity.dimensions, [](std::int64_t size) { return std::to_string(size); })},
      {"params", map_line(identity.params, number_as_json)},
      {"generator", string_as_json(identity.generator)},
      {"copies", string_as_json(identity.copies)}};
  if (identity.flops) members.emplace("flops", number_as_json(*identity.flops));
  if (identity.bytes_read) members.emplace("bytes_read", number_as_json(*identity.bytes_read));
  if (identity.bytes_written) members.emplace("bytes_written", number_as_json(*identity.bytes_written));
  if (identity.bytes) members.emplace("bytes", number_as_json(*identity.bytes));
  return one_line(members);
}

std::string format_entry(const BaselineEntry& entry) {
  constexpr int kIndent = 4;
  Members conditions;
  for (const auto& [key, field, older] : kConditions) {
    conditions.emplace(key, string_as_json(entry.baseline.conditions.*field));
  }
  if (entry.baseline.conditions.processes == "1") conditions.erase("processes");  // as nearly all cases have it
  Members units;
  for (const auto& [uuid, unit] : entry.baseline.units) units.emplace(uuid, format_unit(unit));
  Members members = {{"accepted", one_line({{"commit", string_as_json(entry.accepted.commit)},
                                            {"reason", string_as_json(entry.accepted.reason)},
                                            {"run_uuids", list(entry.accepted.run_uuids, string_as_json)},
                                            {"when", string_as_json(entry.accepted.when)},
                                            {"who", string_as_json(entry.accepted.who)}})},
                     {"conditions", one_line(conditions)},
                     {"identity", format_identity(entry.baseline.identity)},
                     {"model", format_unit(entry.baseline.model)},
                     {"units", lines(units, kIndent + 2)}};
  if (entry.baseline.kernels_overlap) {
    members.emplace("kernels_overlap", *entry.baseline.kernels_overlap ? "true" : "false");
  }
  return lines(members, kIndent);
}

// What the file says once must hold for every case in it.
void check_belongs(const BaselineFile& file, const std::string& name, const BaselineEntry& entry) {
  const auto differs = [&](const char* what, const std::string& own, const std::string& common) {
    if (own == common) return;
    throw Error(kKind, fmt::format("the baseline of {} \"{}\" cannot stand under {} \"{}\"", what, own, what, common),
                name, "write it into the file of its own device and op");
  };
  differs("case", entry.baseline.identity.name, name);
  differs("op", entry.baseline.identity.op, file.op);
  differs("device", entry.baseline.conditions.device_name, file.device_name);
}

std::map<std::string, double> load_numbers(const Json& value) {
  std::map<std::string, double> numbers;
  for (const auto& [key, item] : value.as_object()) numbers.emplace(key, item.as_number());
  return numbers;
}

double number_of_at_least(const Json& value, double lowest, const char* described) {
  const double read = value.as_number();
  if (read >= lowest) return read;
  throw value.error(fmt::format("{} is not {}", read, described), "accept the baseline again from runs of the history");
}

constexpr double kAboveZero = std::numeric_limits<double>::denorm_min();
constexpr double kCentreRounding = 1e-9;

core::MetricBaseline load_metric(const Json& value) {
  value.only({"centre_ns", "noise_ns", "run_medians_ns"});
  core::MetricBaseline metric;
  metric.centre_ns = number_of_at_least(value.at("centre_ns"), kAboveZero, "a time above zero");
  metric.noise_ns = number_of_at_least(value.at("noise_ns"), 0, "a noise of zero or more");
  for (const Json& median : value.at("run_medians_ns").as_array()) {
    metric.run_medians_ns.push_back(number_of_at_least(median, kAboveZero, "a time above zero"));
  }
  if (metric.run_medians_ns.empty()) {
    throw value.error("a baseline without runs", "accept the baseline again from runs of the history");
  }
  // Verdicts rest on the runs; a centre that was edited alone would be read by people only.
  const double centre = core::median(metric.run_medians_ns);
  if (std::abs(centre - metric.centre_ns) > kCentreRounding * centre) {
    throw value.at("centre_ns")
        .error(fmt::format("the centre is {}, but the median of its runs is {}", metric.centre_ns, centre),
               "accept the baseline again from runs of the history");
  }
  return metric;
}

core::Origin load_origin(const Json& value) {
  value.only({"commit", "cycles", "time_ns", "when"});
  core::Origin origin;
  origin.time_ns = number_of_at_least(value.at("time_ns"), kAboveZero, "a time above zero");
  if (const Json* cycles = value.find("cycles")) {
    origin.cycles = number_of_at_least(*cycles, kAboveZero, "a count above zero");
  }
  origin.when = value.at("when").as_string();
  origin.commit = value.at("commit").as_string();
  return origin;
}

core::UnitBaseline load_unit(const Json& value) {
  value.only({"time", "cycles", "group_shares", "groups", "libraries", "origin", "subtick"});
  core::UnitBaseline unit;
  if (const Json* subtick = value.find("subtick")) unit.subtick = load_metric(*subtick);
  if (const Json* origin = value.find("origin")) unit.origin = load_origin(*origin);
  if (const Json* libraries = value.find("libraries")) {
    for (const auto& [name, item] : libraries->as_object()) unit.libraries.emplace(name, load_unit(item));
  }
  if (const Json* time = value.find("time")) unit.time = load_metric(*time);
  if (const Json* cycles = value.find("cycles")) unit.cycles = load_metric(*cycles);
  if (const Json* shares = value.find("group_shares")) {
    for (const auto& [group, share] : shares->as_object()) {
      // Older files hold sums of n-ths, which rounding takes above 1.
      constexpr double kRounding = 1e-9;
      const double value_of_share = number_of_at_least(share, 0, "a share from 0 to 1");
      unit.group_shares[group] = std::min(value_of_share, 1.0);
      if (value_of_share > 1 + kRounding) {
        throw share.error(fmt::format("the share of \"{}\" is above 1", group), "accept the baseline again");
      }
    }
  }
  if (const Json* groups = value.find("groups")) {
    for (const auto& [group, item] : groups->as_object()) unit.groups.emplace(group, load_unit(item));
  }
  return unit;
}

core::CaseIdentity load_identity(const Json& value) {
  value.only({"workload", "dtype", "dimensions", "params", "generator", "copies", "flops", "bytes_read",
              "bytes_written", "bytes"});
  core::CaseIdentity identity;
  identity.workload = value.at("workload").as_string();
  identity.dtype = value.at("dtype").as_string();
  for (const auto& [name, size] : value.at("dimensions").as_object()) {
    identity.dimensions.emplace(name, size.as_integer());
  }
  identity.params = load_numbers(value.at("params"));
  identity.generator = value.at("generator").as_string();
  identity.copies = value.at("copies").as_string();
  if (const Json* flops = value.find("flops")) identity.flops = flops->as_number();
  if (const Json* read = value.find("bytes_read")) identity.bytes_read = read->as_number();
  if (const Json* written = value.find("bytes_written")) identity.bytes_written = written->as_number();
  if (const Json* bytes = value.find("bytes")) identity.bytes = bytes->as_number();
  return identity;
}

core::Conditions load_conditions(const Json& value) {
  value.only({"cuda", "driver_branch", "flush", "launch", "pacing", "processes", "protocol", "timing"});
  core::Conditions conditions;
  for (const auto& [key, field, older] : kConditions) {
    const bool is_older = older != nullptr && value.find(key) == nullptr;
    conditions.*field = is_older ? older : value.at(key).as_string();
  }
  return conditions;
}

Acceptance load_acceptance(const Json& value) {
  value.only({"commit", "reason", "run_uuids", "when", "who"});
  Acceptance accepted;
  accepted.commit = value.at("commit").as_string();
  accepted.reason = value.at("reason").as_string();
  for (const Json& uuid : value.at("run_uuids").as_array()) accepted.run_uuids.push_back(uuid.as_string());
  accepted.when = value.at("when").as_string();
  accepted.who = value.at("who").as_string();
  return accepted;
}

BaselineEntry load_entry(const Json& value) {
  value.only({"accepted", "conditions", "identity", "kernels_overlap", "model", "units"});
  BaselineEntry entry;
  entry.accepted = load_acceptance(value.at("accepted"));
  entry.baseline.conditions = load_conditions(value.at("conditions"));
  entry.baseline.identity = load_identity(value.at("identity"));
  if (const Json* overlap = value.find("kernels_overlap")) entry.baseline.kernels_overlap = overlap->as_bool();
  entry.baseline.model = load_unit(value.at("model"));
  for (const auto& [uuid, unit] : value.at("units").as_object()) entry.baseline.units.emplace(uuid, load_unit(unit));
  return entry;
}

// Names of ops stay as they are; any other name, such as an imported one, is made a safe file name.
std::string file_stem(const std::string& op) {
  constexpr std::size_t kLongest = 64;
  const bool safe = !op.empty() && op.size() <= kLongest && std::all_of(op.begin(), op.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
  });
  return safe ? op : text::slug(op);
}

}  // namespace

fs::path baseline_path(const fs::path& baselines, const std::string& device_name, const std::string& op) {
  return baselines / text::slug(device_name) / (file_stem(op) + ".json");
}

BaselineFile parse_baseline_file(const std::string& content, const std::string& name_for_messages) {
  const Json root = text::parse_json(content, name_for_messages, kKind);
  const Json& version = root.at("version");
  if (version.as_integer() > kVersion) {
    throw version.error(fmt::format("baseline format {} is newer than {}, the newest this opgate reads",
                                    version.as_integer(), kVersion),
                        "use a newer opgate");
  }
  if (version.as_integer() < kOldestVersion) {
    throw version.error(fmt::format("there is no baseline format {}", version.as_integer()),
                        "restore the file from version control");
  }
  root.only({"cases", "device", "op", "version"});
  BaselineFile file;
  file.device_name = root.at("device").as_string();
  file.op = root.at("op").as_string();
  for (const auto& [name, value] : root.at("cases").as_object()) {
    BaselineEntry entry = load_entry(value);
    entry.baseline.identity.name = name;
    entry.baseline.identity.op = file.op;
    entry.baseline.conditions.device_name = file.device_name;
    file.cases.emplace(name, std::move(entry));
  }
  return file;
}

std::optional<BaselineFile> load_baseline_file(const fs::path& path) {
  std::error_code error;
  static_cast<void>(fs::symlink_status(path, error));
  // Any other obstacle is told by reading: a link to nothing, or a file in the place of a folder.
  if (error == std::errc::no_such_file_or_directory) return std::nullopt;
  return parse_baseline_file(text::read_file(path, kKind), path.string());
}

std::string format_baseline_file(const BaselineFile& file) {
  Members cases;
  for (const auto& [name, entry] : file.cases) {
    check_belongs(file, name, entry);
    cases.emplace(name, format_entry(entry));
  }
  return lines({{"cases", lines(cases, 2)},
                {"device", string_as_json(file.device_name)},
                {"op", string_as_json(file.op)},
                {"version", std::to_string(kVersion)}},
               0) +
         "\n";
}

void save_baseline_file(const BaselineFile& file, const fs::path& path) {
  const std::string content = format_baseline_file(file);
  // Never writes what it would refuse to read.
  static_cast<void>(parse_baseline_file(content, path.string()));
  std::error_code error;
  if (path.has_parent_path()) fs::create_directories(path.parent_path(), error);
  if (error) {
    throw Error(kKind, fmt::format("cannot create the folder: {}", error.message()), path.parent_path().string(),
                "check that the baselines folder exists and is writable");
  }
  text::write_file(path, content, kKind);
}

std::optional<BaselineFile> load_baselines_of(const fs::path& baselines, const std::string& device_name,
                                              const std::string& op) {
  const fs::path path = baseline_path(baselines, device_name, op);
  std::optional<BaselineFile> file = load_baseline_file(path);
  if (file && (file->op != op || file->device_name != device_name)) {
    throw Error(kKind,
                fmt::format("holds baselines of op \"{}\" on \"{}\", not of op \"{}\" on \"{}\"", file->op,
                            file->device_name, op, device_name),
                path.string(), "restore the file from version control or accept the baselines again");
  }
  return file;
}

std::optional<BaselineEntry> find_baseline(const fs::path& baselines, const std::string& device_name,
                                           const std::string& op, const std::string& case_name) {
  const std::optional<BaselineFile> file = load_baselines_of(baselines, device_name, op);
  if (!file) return std::nullopt;
  const auto found = file->cases.find(case_name);
  return found == file->cases.end() ? std::nullopt : std::optional(found->second);
}

}  // namespace opgate::store
