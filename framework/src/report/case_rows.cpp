#include "report/case_rows.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace opgate::report {
namespace {

std::string quantiles_text(const Figures& figures) {
  return figures.p10_ns && figures.p90_ns
             ? fmt::format("p10 {}, p90 {}", duration_text(*figures.p10_ns), duration_text(*figures.p90_ns))
             : std::string{};
}

}  // namespace

std::string identity_rows(const store::CaseResult& result, const core::Attempt* attempt) {
  const core::CaseIdentity& identity = result.identity;
  std::vector<std::string> parts;
  for (const auto& [name, value] : identity.dimensions) {
    parts.push_back(fmt::format("{}={}", name, value));
  }
  for (const auto& [name, value] : identity.params) {
    parts.push_back(fmt::format("{}={}", name, number_text(value)));
  }
  std::string rows;
  if (!identity.op.empty()) {
    const std::string shape = parts.empty() ? "" : ": " + fmt::format("{}", fmt::join(parts, " "));
    rows += open_row("op", fmt::format("{}, workload {}, {}{}", identity.op, identity.workload, identity.dtype, shape));
  }
  if (attempt != nullptr && !attempt->device.name.empty()) {
    const core::DeviceIdentity& device = attempt->device;
    std::vector<std::string> words{device.name};
    if (!device.uuid.empty()) {
      words.push_back(device.uuid);
    }
    if (!device.driver.empty()) {
      words.push_back("driver " + device.driver);
    }
    if (!device.cuda.empty()) {
      words.push_back("CUDA " + device.cuda);
    }
    rows += open_row("device", comma_list(words));
  }
  return rows;
}

std::string comparison_rows(const store::CaseResult& result, const Figures& figures) {
  const core::Judgement judgement = result.judgement.value_or(core::Judgement{});
  const char* const corrected = judgement.metric == core::Metric::cycles ? " clock-corrected" : "";
  std::string rows;
  if (judgement.baseline_ns) {
    rows += open_row("baseline", duration_text(*judgement.baseline_ns) + corrected);
  }
  std::vector<std::string> measured;
  if (judgement.measured_ns && (*corrected != '\0' || !figures.busy_ns ||
                                duration_text(*figures.busy_ns) != duration_text(*judgement.measured_ns))) {
    measured.push_back(duration_text(*judgement.measured_ns) + corrected);
  }
  if (figures.busy_ns) {
    measured.push_back(fmt::format("{} device busy ({})", duration_text(*figures.busy_ns),
                                   figures.groups.size() > 1 ? "pooled median of a mixed call"
                                   : figures.summary         ? figures.summary->statistic
                                                             : "median"));
  }
  if (figures.trimmed_mean_ns) {
    measured.push_back("trimmed mean " + duration_text(*figures.trimmed_mean_ns));
  }
  if (const std::string quantiles = quantiles_text(figures); !quantiles.empty()) {
    measured.push_back(quantiles);
  }
  if (!measured.empty()) {
    rows += open_row("measured", comma_list(measured));
  }
  std::vector<std::string> change;
  if (judgement.change_pct) {
    change.push_back(change_text(*judgement.change_pct));
  }
  if (judgement.threshold_pct) {
    change.push_back("limit " + percent_text(*judgement.threshold_pct));
  }
  if (judgement.detectable_pct) {
    change.push_back("smallest detectable slowdown " + percent_text(*judgement.detectable_pct));
  }
  return change.empty() ? rows : rows + open_row("change", comma_list(change));
}

std::string library_rows(const core::Attempt& attempt, const core::CaseIdentity& identity) {
  const core::ImplementationResult* const ours = ours_of(attempt);
  const double own_ns = ours != nullptr ? figures_of(*ours, identity).busy_ns.value_or(0) : 0;
  std::string rows;
  for (const core::ImplementationResult& other : attempt.implementations) {
    const auto busy = figures_of(other, identity).busy_ns;
    if (other.measurement.name.empty() || !busy) {
      continue;
    }
    const std::string ratio =
        own_ns > 0 && *busy > 0 ? fmt::format(" (ours takes {:.3f} x its time)", own_ns / *busy) : std::string{};
    rows += open_row(rows.empty() ? "library" : "",
                     fmt::format("{} {}{}", other.measurement.name, duration_text(*busy), ratio));
  }
  return rows;
}

std::string attempt_rows(const store::CaseResult& result) {
  std::string rows;
  for (const core::Attempt& attempt : result.attempts) {
    if (result.attempts.size() < 2) {
      break;
    }
    std::string text = fmt::format("{} ({}): {}", attempt.number, attempt.purpose, core::to_string(attempt.status));
    const core::ImplementationResult* const ours = ours_of(attempt);
    if (attempt.status == core::Status::measured && ours != nullptr) {
      if (const auto busy = figures_of(*ours, result.identity).busy_ns) {
        text += ", " + duration_text(*busy);
      }
    } else if (!attempt.phase.empty()) {
      text += ", in " + attempt.phase;
    }
    rows += open_row(rows.empty() ? "attempts" : "", text);
  }
  if (result.times_recorded > 1) {
    rows += open_row("recorded", fmt::format("{} times in this run, where once is right", result.times_recorded));
  }
  return rows;
}

std::string reason_rows(const store::CaseResult& result, const core::Attempt* attempt) {
  std::string rows;
  if (!has_number(outcome_of(result))) {
    rows += attempt != nullptr && !attempt->message.empty() ? open_row("reason", attempt->message) : "";
    if (outcome_of(result) == Outcome::never_finished) {
      rows += open_row(rows.empty() ? "reason" : "",
                       "the case was opened and never closed: its supervisor died or still runs");
    }
    return rows;
  }
  if (result.judgement && !result.judgement->reason.empty()) {
    rows += open_row("reason", result.judgement->reason);
  }
  if (result.judgement && result.judgement->waiver) {
    const core::Waiver& waiver = *result.judgement->waiver;
    rows += open_row("waived", fmt::format("{}, by {} until {}: {}", core::to_string(result.judgement->verdict),
                                           waiver.owner, waiver.expires, waiver.reason));
  }
  if (result.judgement) {
    for (const std::string& note : result.judgement->notes) {
      rows += open_row("note", note);
    }
  }
  return rows;
}

}  // namespace opgate::report
