#include <fmt/format.h>

#include <exception>
#include <utility>

#include "core/device_rates.hpp"
#include "report/case_rows.hpp"
#include "report/console.hpp"

namespace opgate::report {
namespace {

std::string headline(const store::CaseResult& result, bool colour) {
  const Outcome outcome = outcome_of(result);
  std::string line = coloured(headline_of(outcome), colour ? colour_of(outcome) : Colour::none);
  line += "  " + result.identity.name;
  if (const std::string gist = gist_of(result); !gist.empty()) {
    line += "  " + gist;
  }
  if (outcome == Outcome::no_baseline && result.exit_code == core::ExitCode::no_baseline) {
    line += "  although one is required";
  }
  if (outcome == Outcome::inconclusive && result.exit_code == core::ExitCode::pass) {
    line += "  warning only";
  }
  if (is_replayed(result)) {
    line += "  replayed from a trace, NOT MEASURED";
  }
  return line + "\n";
}

std::vector<std::string> rate_remarks(const store::CaseResult& result, const core::Attempt& attempt, double busy_ns) {
  std::vector<std::string> remarks;
  if (const auto ceiling = ceiling_of(result, attempt)) remarks.push_back(core::text_of(*ceiling));
  if (std::string note = core::rate_note(result.identity, attempt.device, busy_ns); !note.empty()) {
    remarks.push_back(std::move(note));
  }
  return remarks;
}

// A void reading is shown as what it is, and its figures are not set beside a baseline.
std::string figure_rows(const store::CaseResult& result, const core::Attempt* attempt) {
  const core::ImplementationResult* const ours = attempt != nullptr ? ours_of(*attempt) : nullptr;
  if (ours == nullptr) {
    return comparison_rows(result, Figures{});
  }
  Figures figures = figures_of(*ours, result.identity);
  if (figures.samples == 0 && !figures.summary) {
    return comparison_rows(result, figures) + kernel_rows(*ours, figures);
  }
  if (!has_number(outcome_of(result))) {
    figures.tflops.reset();
    figures.bandwidth_tbs.reset();
    return open_row("void", fmt::format("{} device busy (median), kept as evidence, never a baseline",
                                        duration_text(*figures.busy_ns))) +
           measurement_rows(*ours, attempt->processes, figures, {}) + kernel_rows(*ours, figures);
  }
  const auto remarks = rate_remarks(result, *attempt, figures.busy_ns.value_or(0));
  return comparison_rows(result, figures) + measurement_rows(*ours, attempt->processes, figures, remarks) +
         library_rows(*attempt, result.identity) + kernel_rows(*ours, figures);
}

Figures clock_figures(const store::CaseResult& result, const core::Attempt& attempt) {
  const core::ImplementationResult* const ours = ours_of(attempt);
  return ours == nullptr ? Figures{} : figures_of(*ours, result.identity);
}

std::string command_rows(const store::CaseResult& result, const NextSteps& next) {
  const Outcome outcome = outcome_of(result);
  if (outcome == Outcome::pass || outcome == Outcome::skipped) {
    return {};
  }
  const bool acceptable = outcome == Outcome::regressed || outcome == Outcome::improved ||
                          outcome == Outcome::no_baseline || outcome == Outcome::not_comparable;
  std::string rows;
  rows += next.reproduce.empty() ? "" : command_row("reproduce", next.reproduce);
  rows += next.profile.empty() || !has_number(outcome) ? "" : command_row("profile", next.profile);
  rows += next.timeline.empty() ? "" : command_row("timeline", next.timeline);
  rows += next.accept.empty() || !acceptable ? "" : command_row("accept", next.accept);
  return rows;
}

std::string block(const store::CaseResult& result, const NextSteps& next, bool colour, std::size_t width) {
  const core::Attempt* const attempt = deciding_attempt(result);
  std::string rows = identity_rows(result, attempt) + figure_rows(result, attempt);
  if (attempt != nullptr) {
    rows += machine_rows(*attempt, clock_figures(result, *attempt)) + time_rows(*attempt);
  }
  rows += attempt_rows(result) + reason_rows(result, attempt);
  // A command is copied, so it is never broken.
  return headline(result, colour) + fitted(rows, width) + command_rows(result, next);
}

}  // namespace

std::string case_block(const store::CaseResult& result, const NextSteps& next, bool colour, std::size_t width) {
  try {
    return block(result, next, colour, width);
  } catch (const std::exception& error) {
    // The outcome is in the exit code and the history; a report that cannot be written must not change it.
    return result.identity.name + ": this result cannot be shown: " + error.what() + "\n";
  }
}

}  // namespace opgate::report
