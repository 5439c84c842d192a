#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include "report/completeness.hpp"
#include "report/console.hpp"
#include "report/outcome.hpp"

namespace opgate::report {
namespace {

std::string named_line(const char* headline, const std::string& name, const std::string& gist) {
  return fmt::format("  {:<14}  {}{}{}\n", headline, name, gist.empty() ? "" : "  ", gist);
}

std::string named_cases(const Completeness& complete, std::vector<store::CaseResult> results) {
  std::stable_sort(results.begin(), results.end(), [](const auto& a, const auto& b) {
    return std::pair(outcome_of(a), a.identity.name) < std::pair(outcome_of(b), b.identity.name);
  });
  std::string text;
  for (const store::CaseResult& result : results) {
    if (is_named(result)) {
      text += named_line(headline_of(outcome_of(result)), result.identity.name, why_of(result));
    }
  }
  for (const auto& [name, count] : complete.repeated) {
    text += named_line("RECORDED TWICE", name, fmt::format("{} times in this run", count));
  }
  for (const std::string& name : complete.missing) {
    text += named_line("NOT RECORDED", name, "selected, but it recorded nothing");
  }
  return text;
}

std::vector<std::string> counted(const std::map<Outcome, std::size_t>& counts, bool with_number) {
  std::vector<std::string> parts;
  for (const auto& [outcome, count] : counts) {
    if (has_number(outcome) == with_number) {
      parts.push_back(fmt::format("{} {}", count, phrase_of(outcome)));
    }
  }
  return parts;
}

// "57 of 60 selected cases measured", or for a replay what it is instead.
std::string share_text(const store::RunInfo& run, const std::vector<store::CaseResult>& results) {
  const std::set<std::string> selected(run.selected.begin(), run.selected.end());
  std::set<std::string> with_number;
  std::set<std::string> recorded;
  std::size_t replayed = 0;
  for (const store::CaseResult& result : results) {
    const std::string& name = result.identity.name;
    const bool ran = outcome_of(result) != Outcome::skipped;  // a case without a trace is skipped
    replayed += ran && (run.replayed || is_replayed(result)) ? 1 : 0;
    if (selected.empty() || selected.contains(name)) {
      recorded.insert(name);
      if (has_number(outcome_of(result))) {
        with_number.insert(name);
      }
    }
  }
  const std::string of =
      selected.empty() ? count_text(recorded.size(), "case") : count_text(selected.size(), "selected case");
  if (run.replayed || replayed > 0) {
    return fmt::format("{} of {} judged, {} replayed from recorded traces, NOT MEASURED", with_number.size(), of,
                       replayed);
  }
  return fmt::format("{} of {} measured", with_number.size(), of);
}

std::string last_line(const store::RunInfo& run, const std::vector<store::CaseResult>& results,
                      const Completeness& complete) {
  std::map<Outcome, std::size_t> counts;
  for (const store::CaseResult& result : results) {
    ++counts[outcome_of(result)];
  }
  std::string line = fmt::format("run {}{}: {}", run.id, run.label.empty() ? "" : " (" + run_label(run.label) + ")",
                                 share_text(run, results));
  if (const auto parts = counted(counts, true); !parts.empty()) {
    line += fmt::format(": {}", fmt::join(parts, ", "));
  }
  auto others = counted(counts, false);
  if (!complete.missing.empty()) {
    others.push_back(fmt::format("{} recorded nothing", complete.missing.size()));
  }
  if (!others.empty()) {
    line += fmt::format("; no number: {}", fmt::join(others, ", "));
  }
  if (!complete.repeated.empty()) {
    line += fmt::format("; {} recorded more than once", complete.repeated.size());
  }
  if (complete.unselected > 0) {
    line += fmt::format("; {} not selected", complete.unselected);
  }
  return line + "\n";
}

}  // namespace

std::string run_summary(const store::RunInfo& run, const std::vector<store::CaseResult>& results) {
  const Completeness complete = completeness_of(run, results);
  return named_cases(complete, results) + last_line(run, results, complete);
}

core::ExitCode run_exit_code(const store::RunInfo& run, const std::vector<store::CaseResult>& results) {
  const Completeness complete = completeness_of(run, results);
  std::vector<core::ExitCode> codes;
  codes.reserve(results.size() + 1);
  for (const store::CaseResult& result : results) {
    // Opened and never closed: its supervisor died.
    codes.push_back(result.exit_code.value_or(core::ExitCode::cannot_run));
  }
  if (!complete.missing.empty() || !complete.repeated.empty()) {
    codes.push_back(core::ExitCode::cannot_run);
  }
  return core::worst(codes);
}

}  // namespace opgate::report
