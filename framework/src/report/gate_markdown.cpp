#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "report/format.hpp"
#include "report/gate_report.hpp"
#include "report/markdown_text.hpp"

namespace opgate::report {
namespace {

// Room for what closes a text that was cut.
constexpr std::size_t kReserve = 512;
// Of a list, so that none keeps out the ones behind it.
constexpr double kShare = 0.3;
// A reason may be a whole error text.
constexpr std::size_t kCellBytes = 600;

std::string plain(std::string_view text) {
  return markdown_text(shortened(text, kCellBytes));
}

std::string code(std::string_view text) {
  return markdown_code(shortened(text, kCellBytes));
}

std::string duration_or_dash(const std::optional<double>& ns) {
  return ns ? duration_text(*ns) : "-";
}

std::string case_row(const GateCase& one) {
  return fmt::format("| {}{} | {} | {} | {} | {} | {} | {} | {} |\n", phrase_of(one.end),
                     one.is_new && one.end != GateEnd::fresh ? ", new" : "", code(one.name),
                     one.against.empty() ? "-" : plain(one.against), duration_or_dash(one.before_ns),
                     duration_or_dash(one.now_ns), one.change_pct ? change_text(*one.change_pct) : "-",
                     one.limit_pct ? percent_text(*one.limit_pct) : "-", plain(one.reason));
}

constexpr std::string_view kCaseHeader =
    "| outcome | case | against | before | now | change | limit | reason |\n|---|---|---|--:|--:|--:|--:|---|\n";

// A text of bounded size: a part that would pass the bound is not begun, a list is cut and says by how much.
class Bounded {
 public:
  explicit Bounded(std::size_t most) : most_(most > kReserve ? most - kReserve : 0) {}
  bool add(std::string_view part) { return add_below(most_, part); }
  // Lines under a header, in at most this share of the whole; the tail always fits into the reserve.
  void add_lines(std::string_view header, const std::vector<std::string>& lines, std::string_view tail,
                 double share = 1) {
    if (lines.empty()) return;
    const auto room = out_.size() + static_cast<std::size_t>(static_cast<double>(most_) * share);
    const std::size_t most = std::min(most_, room);
    std::size_t added = 0;
    if (add_below(most, header)) {
      while (added < lines.size() && add_below(most, lines[added])) ++added;
      out_ += tail;
    }
    if (added < lines.size()) {
      out_ += fmt::format("\n{} of {} lines do not fit here: see the files of the run.\n", lines.size() - added,
                          lines.size());
    }
  }
  [[nodiscard]] std::string text() const { return out_; }

 private:
  bool add_below(std::size_t most, std::string_view part) {
    if (out_.size() + part.size() > most) return false;
    out_ += part;
    return true;
  }
  std::size_t most_;
  std::string out_;
};

void add_changes(Bounded& out, const GateReport& report) {
  std::vector<std::string> lines;
  lines.reserve(report.changes.size());
  for (const GateChange& change : report.changes) {
    lines.push_back(fmt::format("| {} | {} | {} |\n", plain(change.what), code(change.subject), plain(change.detail)));
  }
  out.add_lines(
      "\n### This change edits its own gate\n\nIt was judged by what the merge base says; these take effect once it is "
      "merged.\n\n| what | where | change |\n|---|---|---|\n",
      lines, "", kShare);
}

}  // namespace

std::string gate_markdown(const GateReport& report, std::size_t most_bytes) {
  Bounded out(most_bytes);
  out.add(fmt::format("## opgate: {}\n\n{}.\n", gate_headline(report), plain(gate_counts(report))));
  add_changes(out, report);
  std::vector<std::string> notes;
  for (const std::string& note : report.notes) notes.push_back("- " + plain(note) + "\n");
  out.add_lines("\n### Notes\n\n", notes, "", kShare);
  std::vector<std::string> person;
  std::vector<std::string> all;
  for (const GateCase& one : report.cases) {
    all.push_back(case_row(one));
    if (needs_a_person(one)) person.push_back(all.back());
  }
  out.add_lines(fmt::format("\n### Needs a person\n\n{}", kCaseHeader), person, "", kShare);
  std::vector<std::string> facts{fmt::format("- base: {}\n", plain(report.base)),
                                 fmt::format("- candidate: {}\n", plain(report.candidate))};
  if (!report.device.empty()) facts.push_back(fmt::format("- device: {}\n", plain(report.device)));
  for (const std::string& step : report.steps) facts.push_back("- " + plain(step) + "\n");
  out.add_lines("\n", facts, "");
  out.add_lines(fmt::format("\n<details><summary>All cases</summary>\n\n{}", kCaseHeader), all, "\n</details>\n");
  return out.text();
}

}  // namespace opgate::report
