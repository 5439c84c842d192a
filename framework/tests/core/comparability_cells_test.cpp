#include "core/comparability.hpp"

#include <boost/test/unit_test.hpp>
#include <functional>
#include <map>
#include <sstream>

#include "run_builder.hpp"
#include "text/file.hpp"

using namespace opgate;
using namespace opgate::core;

BOOST_AUTO_TEST_SUITE(comparability_cells)

namespace {

enum class Known : std::uint8_t { usual, other, unknown };

// Puts one thing of a baseline or of a run into a state.
struct Place {
  CaseIdentity& identity;
  Conditions& conditions;
};
using Put = std::function<void(Place, Known)>;

template <class Field>
Put text_of(Field field) {
  return [field](Place place, Known known) {
    std::string& text = field(place);
    text = known == Known::usual ? text : known == Known::other ? "other" : "";
  };
}

template <class Field>
Put number_of(Field field) {
  return [field](Place place, Known known) {
    std::optional<double>& number = field(place);
    number = known == Known::usual ? number : known == Known::other ? std::optional(7.0) : std::nullopt;
  };
}

const std::map<std::string, Put>& places() {
  static const std::map<std::string, Put> all{
      {"dtype", text_of([](Place p) -> std::string& { return p.identity.dtype; })},
      {"dimensions",
       [](Place p, Known known) {
         if (known == Known::other) p.identity.dimensions["m"] = 7;
         if (known == Known::unknown) p.identity.dimensions.clear();
       }},
      {"params",
       [](Place p, Known known) {
         if (known == Known::other) p.identity.params["alpha"] = 7;
         if (known == Known::unknown) p.identity.params.clear();
       }},
      {"input generator", text_of([](Place p) -> std::string& { return p.identity.generator; })},
      {"copies mode", text_of([](Place p) -> std::string& { return p.identity.copies; })},
      {"flops", number_of([](Place p) -> std::optional<double>& { return p.identity.flops; })},
      {"bytes read", number_of([](Place p) -> std::optional<double>& { return p.identity.bytes_read; })},
      {"bytes written", number_of([](Place p) -> std::optional<double>& { return p.identity.bytes_written; })},
      {"bytes", number_of([](Place p) -> std::optional<double>& { return p.identity.bytes; })},
      {"protocol", text_of([](Place p) -> std::string& { return p.conditions.protocol; })},
      {"timing", text_of([](Place p) -> std::string& { return p.conditions.timing; })},
      {"flush", text_of([](Place p) -> std::string& { return p.conditions.flush; })},
      {"launch mode", text_of([](Place p) -> std::string& { return p.conditions.launch; })},
      {"pacing", text_of([](Place p) -> std::string& { return p.conditions.pacing; })},
      {"processes of a reading", text_of([](Place p) -> std::string& { return p.conditions.processes; })},
      {"GPU model", text_of([](Place p) -> std::string& { return p.conditions.device_name; })},
      {"driver branch", text_of([](Place p) -> std::string& { return p.conditions.driver_branch; })},
      {"CUDA version", text_of([](Place p) -> std::string& { return p.conditions.cuda; })}};
  return all;
}

struct World {
  bool dimensions = true;
  bool never_overlap = true;
};

struct Seen {
  std::string why;
  std::vector<std::string> notes;
};

Seen seen(const Put& put, Known accepted, Known now, const World& world) {
  CaseBaseline baseline = steady_baseline();
  CaseRun run = run_of(100'000);
  baseline.identity.bytes = run.identity.bytes = 300;
  if (!world.dimensions) {
    baseline.identity.dimensions.clear();
    run.identity.dimensions.clear();
  }
  if (!world.never_overlap) {
    run.samples.front().n_kernels = 2;
  }
  put({baseline.identity, baseline.conditions}, accepted);
  put({run.identity, run.conditions}, now);
  Seen result;
  result.why = incomparable(baseline, run, result.notes);
  return result;
}

bool may_compare(Answer answer, const World& world) {
  return answer == Answer::no_overlap        ? world.never_overlap
         : answer == Answer::with_dimensions ? world.dimensions
                                             : answer != Answer::no;
}

void check_cell(const ComparabilityRow& row, Answer answer, Known accepted, Known now) {
  for (const World& world : {World{}, World{.dimensions = false}, World{.never_overlap = false}}) {
    if (!world.dimensions && std::string(row.what) == "dimensions") {
      continue;
    }
    const Seen result = seen(places().at(row.what), accepted, now, world);
    BOOST_TEST_CONTEXT(row.what << " dimensions " << world.dimensions << " never overlap " << world.never_overlap
                                << ": " << result.why) {
      BOOST_TEST(result.why.empty() == may_compare(answer, world));
      const bool tells = answer != Answer::yes;
      const std::string said = result.why + (result.notes.empty() ? "" : result.notes.front());
      BOOST_TEST((said.find(row.what) != std::string::npos) == tells);
      BOOST_TEST(result.notes.empty() == (!tells || !result.why.empty()));
    }
  }
}

std::vector<std::string> cells_of(const std::string& line) {
  std::vector<std::string> cells;
  std::istringstream text(line);
  std::string cell;
  std::getline(text, cell, '|');
  while (std::getline(text, cell, '|')) {
    const auto from = cell.find_first_not_of(' ');
    cells.push_back(from == std::string::npos ? "" : cell.substr(from, cell.find_last_not_of(' ') - from + 1));
  }
  return cells;
}

std::vector<std::string> split(const std::string& text) {
  std::vector<std::string> parts;
  std::size_t from = 0;
  for (std::size_t comma = text.find(", "); comma != std::string::npos; comma = text.find(", ", from)) {
    parts.push_back(text.substr(from, comma - from));
    from = comma + 2;
  }
  parts.push_back(text.substr(from));
  return parts;
}

}  // namespace

BOOST_AUTO_TEST_CASE(every_cell_is_what_the_rule_does) {
  for (const ComparabilityRow& row : comparability_table()) {
    if (row.value == nullptr) {
      continue;
    }
    BOOST_TEST_REQUIRE(places().contains(row.what), row.what << " has no test");
    check_cell(row, row.differs, Known::usual, Known::other);
    check_cell(row, row.differs, Known::other, Known::usual);
    check_cell(row, row.one_sided, Known::usual, Known::unknown);
    check_cell(row, row.one_sided, Known::unknown, Known::usual);
    if (std::string(row.what) != "dimensions") {  // without them the rows of flops and bytes change
      check_cell(row, row.unknown, Known::unknown, Known::unknown);
    }
    check_cell(row, Answer::yes, Known::usual, Known::usual);
  }
}

BOOST_AUTO_TEST_CASE(units_get_more_tolerance_and_an_unknown_unit_is_a_unit) {
  const auto limit = [](const std::string& accepted, const std::string& now) {
    const CaseBaseline baseline = summarise(runs_of({100'000, 100'000, 100'000, 100'000, 100'000}, {}, accepted));
    return judged(baseline, run_of(100'000, {}, now)).threshold_pct.value();
  };
  BOOST_TEST(limit("GPU-a", "GPU-a") == 1.0, boost::test_tools::tolerance(1e-9));
  BOOST_TEST(limit("GPU-a", "GPU-b") == 4.0, boost::test_tools::tolerance(1e-9));
  BOOST_TEST(limit("GPU-a", "") == 4.0, boost::test_tools::tolerance(1e-9));
  BOOST_TEST(limit("", "GPU-a") == 4.0, boost::test_tools::tolerance(1e-9));
  BOOST_TEST(limit("", "") == 1.0, boost::test_tools::tolerance(1e-9));
}

BOOST_AUTO_TEST_CASE(other_kernels_are_flagged_and_unknown_ones_are_not) {
  const auto notes = [](std::vector<std::string> accepted, std::vector<std::string> now) {
    std::vector<CaseRun> runs = runs_of({100'000, 100'000, 100'000, 100'000, 100'000});
    for (CaseRun& run : runs) run.group_names = accepted;
    CaseRun run = run_of(100'000);
    run.group_names = std::move(now);
    const Judgement judgement = judged(summarise(runs), run);
    OPGATE_CHECK_VERDICT(judgement, Verdict::pass);
    return judgement.notes;
  };
  BOOST_TEST(any_says(notes({"1 x gemm"}, {"1 x other"}), "kernels changed"));
  BOOST_TEST(notes({"1 x gemm"}, {"1 x gemm"}).empty());
  BOOST_TEST(notes({}, {}).empty());
}

BOOST_AUTO_TEST_CASE(the_readme_shows_this_table) {
  const std::string readme = text::read_file(std::string(OPGATE_SOURCE_DIR) + "/README.md", ErrorKind::io);
  std::istringstream lines(readme);
  std::map<std::string, std::vector<std::string>> shown;
  bool inside = false;
  for (std::string line; std::getline(lines, line);) {
    inside = line.starts_with("| what differs |") || (inside && line.starts_with("|"));
    const std::vector<std::string> cells = inside ? cells_of(line) : std::vector<std::string>{};
    if (cells.size() == 4 && !cells[0].starts_with("---") && cells[0] != "what differs") {
      for (const std::string& what : split(cells[0])) shown[what] = {cells[1], cells[2], cells[3]};
    }
  }
  BOOST_TEST(shown.size() == comparability_table().size());
  for (const ComparabilityRow& row : comparability_table()) {
    const std::vector<std::string> expected{to_string(row.differs), to_string(row.one_sided), to_string(row.unknown)};
    BOOST_TEST_CONTEXT(row.what) BOOST_TEST(shown[row.what] == expected, boost::test_tools::per_element());
  }
}

BOOST_AUTO_TEST_SUITE_END()
