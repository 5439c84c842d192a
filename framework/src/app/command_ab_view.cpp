#include "app/command_ab_view.hpp"

#include <fmt/format.h>

#include <map>

#include "app/command_result.hpp"
#include "app/command_text.hpp"

namespace opgate::app {

namespace {

std::string line(const std::vector<std::string>& cells, std::size_t name_width) {
  return fmt::format("{:<14}  {:<{}}  {:>14}  {:>14}  {:>9}  {:>8}  {:>5}  {}\n", cells[0], cells[1], name_width,
                     cells[2], cells[3], cells[4], cells[5], cells[6], cells[7]);
}

bool not_measured(const run::PairedCase& compared) {
  return compared.end == run::PairedEnd::identical;
}

}  // namespace

std::string paired_header(std::size_t name_width) {
  return line({"outcome", "case", "base", "candidate", "change", "limit", "pairs", "reason"}, name_width);
}

std::string paired_row(const run::PairedCase& compared, std::size_t name_width) {
  const core::PairedJudgement& judgement = compared.judgement;
  return line({run::outcome_of(compared), compared.name, milliseconds(judgement.base_ns),
               milliseconds(judgement.candidate_ns), change(judgement.change_pct), percent(judgement.limit_pct),
               judgement.pairs > 0 ? std::to_string(judgement.pairs) : "-", compared.reason},
              name_width);
}

std::string paired_counts(const std::vector<run::PairedCase>& all) {
  std::map<std::string, std::size_t> counts;
  std::size_t identical = 0;
  for (const run::PairedCase& compared : all) {
    ++counts[run::outcome_of(compared)];
    identical += not_measured(compared) ? 1 : 0;
  }
  std::vector<std::string> words;
  for (const auto& [outcome, count] : counts) {
    const bool some_identical = outcome == "unchanged" && identical > 0;
    words.push_back(
        fmt::format("{} {}{}", count, outcome, some_identical ? fmt::format(" ({} not measured)", identical) : ""));
  }
  return fmt::format("{}: {}\n", plural(all.size(), "case"), joined(words));
}

Json paired_json(const run::PairedCase& compared) {
  const core::PairedJudgement& judgement = compared.judgement;
  const bool decided = judgement.change_pct.has_value();
  return {{"case", compared.name},
          {"outcome", run::outcome_of(compared)},
          {"measured", judgement.pairs > 0},
          {"pairs", judgement.pairs},
          {"metric", decided ? Json(core::to_string(judgement.metric)) : Json(nullptr)},
          {"base_ns", or_null(judgement.base_ns)},
          {"candidate_ns", or_null(judgement.candidate_ns)},
          {"change_pct", or_null(judgement.change_pct)},
          {"limit_pct", or_null(judgement.limit_pct)},
          {"least_pct", or_null(judgement.least_pct)},
          {"excluded_pct", or_null(judgement.excluded_pct)},
          {"side", compared.side.empty() ? Json(nullptr) : Json(compared.side)},
          {"reason", compared.reason},
          {"exit_code", static_cast<int>(compared.code)}};
}

}  // namespace opgate::app
