#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/findings.hpp"

namespace opgate::core {
namespace {

constexpr const char* kShares = "the shares of the kernel groups";

std::string subject_of(const std::string& group) {
  return fmt::format("the iterations with {}", group);
}

// The baseline of one kernel group. A call that was not mixed has a single one, the call itself.
const UnitBaseline* group_baseline(const UnitBaseline& baseline, const std::string& name) {
  if (const auto found = baseline.groups.find(name); found != baseline.groups.end()) {
    return &found->second;
  }
  return baseline.groups.empty() && baseline.group_shares.contains(name) ? &baseline : nullptr;
}

std::optional<Metric> metric_in(const std::vector<Finding>& like, const std::string& subject) {
  for (const Finding& finding : like) {
    if (finding.subject == subject) {
      return finding.decided.metric;
    }
  }
  return std::nullopt;
}

// Time expected of one iteration, from the groups' own times: of the baseline, and with the shares of now.
struct Mixture {
  double baseline_ns = 0;
  double now_ns = 0;
  double relative_noise = 0;  // the largest of its groups
  int runs = 0;
  bool moved = false;  // some share differs by more than tolerance and chance
};

Mixture mix(const UnitBaseline& baseline, const RunReading& now, const Level& pooled, const Terms& terms) {
  std::map<std::string, std::pair<double, const GroupReading*>> groups;  // baseline share, reading
  for (const auto& [name, share] : baseline.group_shares) {
    groups[name].first = share;
  }
  for (const GroupReading& group : now.groups) {
    groups[group.name].second = &group;
  }
  Mixture mixture;
  mixture.runs = pooled.runs;
  for (const auto& [name, entry] : groups) {
    const auto& [accepted, reading] = entry;
    const double share = reading != nullptr ? reading->share : 0;
    // A group that one side lacks, or has too rarely for a time of its own, stands for itself in both.
    const UnitBaseline* known = group_baseline(baseline, name);
    const std::optional<Level> level = known != nullptr ? level_of(known->time) : std::nullopt;
    const double own_ns = level ? level->centre : reading != nullptr ? reading->reading.time_ns : pooled.centre;
    mixture.baseline_ns += accepted * own_ns;
    mixture.now_ns += share * own_ns;
    mixture.relative_noise = std::max(mixture.relative_noise, level ? level->relative_noise() : 0);
    const double mean = (accepted + share) / 2;
    const double chance = std::sqrt(mean * (1 - mean) / std::max(1, now.pooled.samples));
    const double allowed = std::max(terms.options.share_tolerance, terms.options.noise_factor * chance);
    mixture.moved = mixture.moved || std::abs(share - accepted) > allowed;
  }
  return mixture;
}

// Only when the shares moved, or `asked` because the run that this one confirms had moved.
std::optional<Finding> compare_shares(const UnitBaseline& baseline, const RunReading& now, const Terms& terms,
                                      bool asked) {
  const std::optional<Level> pooled = level_of(baseline.time);
  if (!pooled || pooled->runs < terms.options.min_runs || baseline.group_shares.empty()) {
    return std::nullopt;
  }
  const Mixture mixture = mix(baseline, now, *pooled, terms);
  if (!mixture.moved && !asked) {
    return std::nullopt;
  }
  // The rule for times applies to the expected time, so that a slower mix fails by the same limits.
  const Level expected{mixture.baseline_ns, mixture.relative_noise * mixture.baseline_ns, mixture.runs};
  Finding finding = compare_time(expected, mixture.now_ns, terms);
  finding.subject = kShares;
  if (!mixture.moved) {
    finding.verdict = finding.decided.verdict = Verdict::pass;
  }
  return finding;
}

bool is_mixed(const UnitBaseline& baseline, const RunReading& now) {
  return now.groups.size() > 1 || !baseline.groups.empty();
}

}  // namespace

std::vector<Finding> examine(const UnitBaseline& baseline, const RunReading& now, const Terms& terms,
                             const std::vector<Finding>& like, std::vector<std::string>& notes) {
  std::vector<Finding> findings;
  if (!is_mixed(baseline, now)) {
    if (std::optional<Finding> whole = compare_reading(baseline, now.pooled, terms, metric_in(like, ""))) {
      findings.push_back(*std::move(whole));
    }
    return findings;
  }
  notes.push_back(fmt::format(
      "mixed call, {} groups of kernels now: judged per group, the pooled median is not compared", now.groups.size()));
  for (const GroupReading& group : now.groups) {
    if (group.reading.samples < terms.options.min_group_samples) {
      notes.push_back(fmt::format("{}: {} samples, {} are needed to judge them", subject_of(group.name),
                                  group.reading.samples, terms.options.min_group_samples));
      continue;
    }
    const UnitBaseline* accepted = group_baseline(baseline, group.name);
    std::optional<Finding> finding;
    if (accepted != nullptr) {
      finding = compare_reading(*accepted, group.reading, terms, metric_in(like, subject_of(group.name)));
    }
    if (!finding) {
      notes.push_back(fmt::format("{}: no baseline of their own yet", subject_of(group.name)));
      continue;
    }
    finding->subject = subject_of(group.name);
    findings.push_back(*std::move(finding));
  }
  if (std::optional<Finding> shares = compare_shares(baseline, now, terms, metric_in(like, kShares).has_value())) {
    findings.push_back(*std::move(shares));
  }
  return findings;
}

const Finding& decisive(const std::vector<Finding>& findings) {
  const auto weight = [](const Finding& finding) {
    const int rank = finding.verdict == Verdict::regressed      ? 3
                     : finding.verdict == Verdict::inconclusive ? 2
                     : finding.verdict == Verdict::improved     ? 1
                                                                : 0;
    if (finding.crept()) {
      return std::pair(rank, finding.creep->change / finding.creep->limit);
    }
    const double change = finding.verdict == Verdict::improved ? -finding.decided.change : finding.decided.change;
    return std::pair(rank, change / std::max(finding.decided.limit.relative, 1e-12));
  };
  return *std::max_element(findings.begin(), findings.end(),
                           [&](const Finding& a, const Finding& b) { return weight(a) < weight(b); });
}

}  // namespace opgate::core
