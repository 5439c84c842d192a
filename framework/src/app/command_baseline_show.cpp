#include <fmt/format.h>

#include "app/command_files.hpp"
#include "app/command_result.hpp"
#include "app/command_table.hpp"
#include "app/command_text.hpp"
#include "opgate/error.hpp"
#include "store/baseline_file.hpp"

namespace opgate::app {

namespace {

Json metric_json(const std::optional<core::MetricBaseline>& metric) {
  if (!metric) return nullptr;
  return {{"centre_ns", metric->centre_ns}, {"noise_ns", metric->noise_ns}, {"run_medians_ns", metric->run_medians_ns}};
}

Json origin_json(const std::optional<core::Origin>& origin) {
  if (!origin) return nullptr;
  return {{"time_ns", origin->time_ns},
          {"cycles", or_null(origin->cycles)},
          {"when", origin->when},
          {"commit", origin->commit}};
}

Json unit_json(const core::UnitBaseline& unit) {
  Json groups = Json::object();
  for (const auto& [name, group] : unit.groups) groups[name] = unit_json(group);
  Json libraries = Json::object();
  for (const auto& [name, library] : unit.libraries) libraries[name] = unit_json(library);
  return {{"time", metric_json(unit.time)},
          {"cycles", metric_json(unit.cycles)},
          {"subtick", metric_json(unit.subtick)},
          {"origin", origin_json(unit.origin)},
          {"group_shares", unit.group_shares},
          {"groups", groups},
          {"libraries", libraries}};
}

void print_entry(const Session& session, const store::BaselineFile& file, const std::string& name,
                 const store::BaselineEntry& entry) {
  Json units = Json::object();
  for (const auto& [uuid, unit] : entry.baseline.units) units[uuid] = unit_json(unit);
  session.print({{"case", name},
                 {"device", file.device_name},
                 {"model", unit_json(entry.baseline.model)},
                 {"units", units},
                 {"identity", json_of(entry.baseline.identity)},
                 {"accepted_by", entry.accepted.who},
                 {"accepted_at", entry.accepted.when},
                 {"commit", entry.accepted.commit},
                 {"reason", entry.accepted.reason},
                 {"run_uuids", entry.accepted.run_uuids}});
}

std::vector<std::string> row_of(const store::BaselineFile& file, const std::string& name,
                                const store::BaselineEntry& entry) {
  const auto& time = entry.baseline.model.time;
  const auto& origin = entry.baseline.model.origin;
  const auto noise = time && time->centre_ns > 0 ? std::optional(100 * time->noise_ns / time->centre_ns) : std::nullopt;
  return {name,
          file.device_name.empty() ? "unknown" : file.device_name,
          milliseconds(time ? std::optional(time->centre_ns) : std::nullopt),
          percent(noise),
          change(time && origin ? std::optional(100 * (time->centre_ns / origin->time_ns - 1)) : std::nullopt),
          std::to_string(entry.accepted.run_uuids.size()),
          std::to_string(entry.baseline.units.size()),
          entry.accepted.when,
          entry.accepted.who,
          entry.accepted.reason};
}

core::ExitCode run_show(const Session& session) {
  const auto folder = session.baselines_path();
  std::vector<std::vector<std::string>> rows{
      {"case", "device", "baseline", "noise", "since first", "runs", "units", "accepted", "by", "reason"}};
  std::size_t shown = 0;
  for (const auto& path : baseline_files(folder)) {
    const auto file = store::load_baseline_file(path);
    if (!file) continue;
    for (const auto& [name, entry] : file->cases) {
      if (!session.matches(name)) continue;
      ++shown;
      if (session.json) {
        print_entry(session, *file, name, entry);
      } else {
        rows.push_back(row_of(*file, name, entry));
      }
    }
  }
  if (shown == 0) {
    throw Error(ErrorKind::baseline, "no baseline" + session.filter_words(), folder.string(),
                "accept one with opgate baseline accept, or choose another filter");
  }
  if (!session.json) session.out() << table(rows);
  return core::ExitCode::pass;
}

}  // namespace

void add_baseline_show(Command baseline, Session& session) {
  Command show = baseline.subcommand("show", "List the stored baselines and who accepted them");
  show.callback([&session] { session.action = [&session] { return run_show(session); }; });
}

}  // namespace opgate::app
