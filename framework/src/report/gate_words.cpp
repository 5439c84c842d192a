#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

#include "report/format.hpp"
#include "report/gate_report.hpp"
#include "report/markdown_text.hpp"

namespace opgate::report {
namespace {

struct Words {
  const char* phrase;
  const char* headline;
  Colour colour;
};

// In the order of the enumerators.
constexpr std::array<Words, 16> kWords{{{"regressed", "REGRESSED", Colour::red},
                                        {"wrong result", "WRONG RESULT", Colour::red},
                                        {"untrusted", "UNTRUSTED", Colour::red},
                                        {"failed", "FAILED", Colour::red},
                                        {"removed", "REMOVED", Colour::red},
                                        {"inconclusive", "INCONCLUSIVE", Colour::yellow},
                                        {"without a baseline", "NO BASELINE", Colour::yellow},
                                        {"not run", "NOT RUN", Colour::red},
                                        {"removed as allowed", "REMOVED, ALLOWED", Colour::yellow},
                                        {"skipped", "SKIPPED", Colour::yellow},
                                        {"waived", "WAIVED", Colour::yellow},
                                        {"not slower than the merge base", "SETTLED", Colour::yellow},
                                        {"improved", "IMPROVED", Colour::green},
                                        {"new", "NEW", Colour::yellow},
                                        {"pass", "PASS", Colour::green},
                                        {"cannot have changed, not measured", "UNCHANGED", Colour::green}}};
static_assert(kWords.size() == static_cast<std::size_t>(GateEnd::identical) + 1);

const Words& words_of(GateEnd end) {
  return kWords.at(static_cast<std::size_t>(end));
}

std::string figures_text(const GateCase& one) {
  std::string text;
  if (one.change_pct) {
    text = change_text(*one.change_pct);
    if (one.limit_pct) text += fmt::format(" (limit {})", percent_text(*one.limit_pct));
  } else if (one.now_ns) {
    text = duration_text(*one.now_ns);
  }
  return text;
}

std::string case_text(const GateCase& one, bool colour) {
  const Words& words = words_of(one.end);
  const std::string headline = colour ? coloured(words.headline, words.colour) : words.headline;
  const std::string figures = figures_text(one);
  std::string text = fmt::format("{}  {}{}{}\n", headline, printable(one.name), figures.empty() ? "" : "  ", figures);
  if (!one.against.empty()) text += row("against", printable(one.against));
  if (one.before_ns && one.now_ns) {
    text += row("figures", fmt::format("{} -> {}", duration_text(*one.before_ns), duration_text(*one.now_ns)));
  }
  if (!one.reason.empty()) text += row("reason", printable(one.reason));
  return text;
}

}  // namespace

const char* phrase_of(GateEnd end) {
  return words_of(end).phrase;
}

bool needs_a_person(const GateCase& one) {
  return one.end < GateEnd::improved || one.end == GateEnd::fresh;
}

std::string gate_headline(const GateReport& report) {
  if (report.code == core::ExitCode::pass) return "GREEN";
  return fmt::format("RED ({}: {})", static_cast<int>(report.code), core::meaning(report.code));
}

std::string gate_counts(const GateReport& report) {
  std::map<GateEnd, std::size_t> counts;
  for (const GateCase& one : report.cases) ++counts[one.end];
  std::string text = fmt::format("{} labelled {}", count_text(report.cases.size(), "case"), report.label);
  const char* separator = ": ";
  for (const auto& [end, count] : counts) {
    text += fmt::format("{}{} {}", separator, count, phrase_of(end));
    separator = ", ";
  }
  return text;
}

std::string gate_text(const GateReport& report, bool colour) {
  const bool green = report.code == core::ExitCode::pass;
  const std::string headline = gate_headline(report);
  std::string text = fmt::format(
      "{}  {}\n", colour ? coloured(headline, green ? Colour::green : Colour::red) : headline, gate_counts(report));
  text += row("base", printable(report.base)) + row("candidate", printable(report.candidate));
  if (!report.device.empty()) text += row("device", printable(report.device));
  for (const GateChange& change : report.changes) {
    text += row("own gate", printable(fmt::format("{} of {}: {}", change.what, change.subject, change.detail)));
  }
  for (const std::string& note : report.notes) text += row("note", printable(note));
  for (const GateCase& one : report.cases) {
    if (needs_a_person(one)) text += fmt::format("\n{}", case_text(one, colour));
  }
  return text;
}

}  // namespace opgate::report
