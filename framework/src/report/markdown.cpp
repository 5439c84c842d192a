#include "report/markdown.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "report/markdown_text.hpp"
#include "report/run_text.hpp"
#include "report/sparkline.hpp"

namespace opgate::report {
namespace {

constexpr std::size_t kTrendColumns = 20;
constexpr std::size_t kMostOfAReason = 400;  // bytes; a kernel's whole name can be longer than all else
constexpr std::size_t kReserve = 512;        // for what is said about rows left out
constexpr const char* kHead =
    "| verdict | case | measured | baseline | change | limit | of ceiling | trend | reason |\n"
    "|---|---|---:|---:|---:|---:|---|---|---|\n";

std::string trend_of(const ReportCase& one) {
  const std::vector<double> values = newest_series(one);
  return values.size() < 2 ? "" : sparkline(values, {}, kTrendColumns, true).curve;
}

std::string measured_cell(const ReportCase& one) {
  const auto& judgement = one.result.judgement;
  std::optional<double> ns = one.figures ? one.figures->busy_ns : std::nullopt;
  if (one.figures && judgement && judgement->measured_ns) ns = judgement->measured_ns;
  std::string text = ns ? duration_text(*ns) : "-";
  for (const std::string& remark : one.remarks) text += fmt::format("<br>*{}*", markdown_text(remark));
  return text;
}

std::string row_of(const ReportCase& one) {
  const auto& judgement = one.result.judgement;
  const bool judged = one.figures && judgement;
  const auto text = [&](std::optional<double> value, std::string (*format)(double)) {
    return judged && value ? format(*value) : std::string("-");
  };
  const std::string verdict = one.outcome ? phrase_of(*one.outcome) : "not run";
  return fmt::format("| {} | {} | {} | {} | {} | {} | {} | {} | {} |\n",
                     one.wants_attention ? "**" + verdict + "**" : verdict, markdown_code(one.name), measured_cell(one),
                     text(judged ? judgement->baseline_ns : std::nullopt, duration_text),
                     text(judged ? judgement->change_pct : std::nullopt, change_text),
                     text(judged ? judgement->threshold_pct : std::nullopt, percent_text),
                     one.ceiling ? markdown_text(core::text_of(*one.ceiling)) : "-", trend_of(one),
                     markdown_text(shortened(one.reason, kMostOfAReason)));
}

std::string counts_table(const ReportCounts& counts) {
  std::string names = "|";
  std::string rule = "|";
  std::string numbers = "|";
  for (const Count& count : counts_in_order(counts)) {
    if (!count.always && count.count == 0) continue;
    names += fmt::format(" {} |", count.phrase);
    rule += "---:|";
    numbers += count.count == 0 ? " 0 |" : fmt::format(" **{}** |", count.count);
  }
  return fmt::format("{0} {3} |\n{1}---:|\n{2} {4} |\n", names, rule, numbers,
                     counts.selection_known ? "of expected" : "of recorded", counts.expected);
}

std::string beginning(const Report& report) {
  std::string text = fmt::format("## opgate: {}\n\n", headline_of(report));
  for (const std::string& warning : report.warnings) text += fmt::format("> **{}**\n", markdown_text(warning));
  if (!report.warnings.empty()) text += '\n';
  text += counts_table(report.counts) + '\n';
  text += markdown_text(name_of_run(report.run)) + ", " + markdown_text(time_text(report.run.started_unix_ms));
  if (!report.run.commit.empty()) text += ", commit " + markdown_code(report.run.commit);
  for (const std::string& machine : machines_of(report)) text += ", " + markdown_text(machine);
  return text + fmt::format(". Exit code {}: {}.\n", static_cast<int>(report.exit_code),
                            markdown_text(core::meaning(report.exit_code)));
}

// Rows while they fit into `room`; the rest is counted.
std::string table_of(const std::vector<std::string>& rows, std::size_t room) {
  std::string text = kHead;
  std::size_t shown = 0;
  for (const std::string& row : rows) {
    if (text.size() + row.size() > room) break;
    text += row;
    ++shown;
  }
  if (shown == rows.size()) return text;
  const std::string left = fmt::format(
      "\n{} more left out, because this page may not be longer: "
      "`opgate report --format html` has all of them.\n",
      count_text(rows.size() - shown, "row"));
  return shown == 0 ? left : text + left;
}

}  // namespace

std::string markdown(const Report& report, std::size_t limit) {
  std::vector<std::string> urgent;
  std::vector<std::string> all;
  for (const ReportCase& one : report.cases) {
    all.push_back(row_of(one));
    if (one.wants_attention) urgent.push_back(all.back());
  }
  std::string text = beginning(report);
  const auto room = [&] { return limit > text.size() + kReserve ? limit - text.size() - kReserve : 0; };
  if (!urgent.empty()) {
    text += fmt::format("\n### {} for a person to look at\n\n", count_text(urgent.size(), "row"));
    text += table_of(urgent, room());
  }
  // Folded, so that it never stands in the way; pointless without a row of its own.
  if (const std::size_t left = room(); left > 2 * kReserve && !all.empty()) {
    text += fmt::format("\n<details><summary>All {}</summary>\n\n", count_text(all.size(), "case"));
    text += table_of(all, left - kReserve) + "\n</details>\n";
  }
  return text;
}

}  // namespace opgate::report
