#include "core/creep.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "core/findings.hpp"

namespace opgate::core {
namespace {

constexpr const char* kModelName = "all units";

std::optional<Origin> own_centre(const UnitBaseline& unit, const AcceptedAt& at) {
  const std::optional<Level> time = level_of(unit.time);
  if (!time) {
    return std::nullopt;
  }
  const std::optional<Level> cycles = level_of(unit.cycles);
  return Origin{time->centre, cycles ? std::optional(cycles->centre) : std::nullopt, at.when, at.commit};
}

// The centre of a level as if it were a reading, held against its origin by the rule's own limits.
std::optional<Finding> against_origin(const UnitBaseline& unit, const Origin& origin, const Terms& terms) {
  const std::optional<Level> time = level_of(unit.time);
  const std::optional<Level> cycles = level_of(unit.cycles);
  if (!time) {
    return std::nullopt;
  }
  UnitBaseline same = unit;
  same.origin = origin;
  same.subtick.reset();
  MetricReading centre;
  centre.time_ns = time->centre;
  centre.cycles = cycles ? std::optional(cycles->centre) : std::nullopt;
  return compare_reading(same, centre, terms, std::nullopt);
}

void set_origin(UnitBaseline& next, const UnitBaseline* before, const AcceptedAt& then, const AcceptedAt& now,
                const Terms& terms) {
  next.origin.reset();
  if (next.groups.empty()) {  // the pooled median of a mixed call is compared with nothing
    if (before != nullptr && before->groups.empty()) {
      next.origin = before->origin ? before->origin : own_centre(*before, then);
    }
    if (!next.origin) {
      next.origin = own_centre(next, now);
    }
  }
  if (next.origin) {
    const std::optional<Finding> finding = against_origin(next, *next.origin, terms);
    if (finding && finding->creep && -finding->creep->change > finding->decided.limit.relative) {
      next.origin = own_centre(next, now);
    }
  }
  for (auto& [name, group] : next.groups) {
    const UnitBaseline* known = nullptr;
    if (before != nullptr && before->groups.contains(name)) {
      known = &before->groups.at(name);
    }
    set_origin(group, known, then, now, terms);
  }
}

void add_drifts(const UnitBaseline& unit, const std::string& level, const Terms& terms, std::vector<Drift>& drifts) {
  if (unit.origin) {
    const std::optional<Finding> finding = against_origin(unit, *unit.origin, terms);
    if (finding && finding->crept()) {
      drifts.push_back({level, finding->creep->change, finding->creep->limit, finding->creep->since});
    }
  }
  for (const auto& [name, group] : unit.groups) {
    add_drifts(group, fmt::format("{}, {}", level, name), terms, drifts);
  }
}

}  // namespace

void set_origins(CaseBaseline& next, const CaseBaseline* before, const AcceptedAt& then, const AcceptedAt& now,
                 const RuleOptions& options, double tick_ns) {
  const Terms terms{options, false, tick_ns};
  set_origin(next.model, before != nullptr ? &before->model : nullptr, then, now, terms);
  for (auto& [uuid, unit] : next.units) {
    const UnitBaseline* known = nullptr;
    if (before != nullptr && before->units.contains(uuid)) {
      known = &before->units.at(uuid);
    }
    set_origin(unit, known, then, now, terms);
  }
}

std::vector<Drift> drifts_of(const CaseBaseline& baseline, const RuleOptions& options, double tick_ns) {
  const Terms terms{options, false, tick_ns};
  std::vector<Drift> drifts;
  add_drifts(baseline.model, kModelName, terms, drifts);
  for (const auto& [uuid, unit] : baseline.units) {
    add_drifts(unit, uuid.empty() ? "unknown unit" : uuid, terms, drifts);
  }
  return drifts;
}

}  // namespace opgate::core
