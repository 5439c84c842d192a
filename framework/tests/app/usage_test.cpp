#include <boost/test/unit_test.hpp>
#include <cstdlib>

#include "app/desk.hpp"

using opgate::tests::Desk;
using opgate::tests::Said;

namespace {

bool holds(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(usage)

BOOST_AUTO_TEST_CASE(wrong_words_are_64_with_the_usage_line) {
  const Desk desk;
  const std::vector<std::vector<std::string>> wrong{
      {},
      {"frobnicate"},
      {"judge", "--nonsense"},
      {"judge", "--run", "seven"},
      {"judge", "--run"},
      {"show"},
      {"import"},
      {"baseline"},
      {"baseline", "accept", "--runs", "1"},
      {"baseline", "accept", "--runs", "1,x", "--reason", "r"},
      {"baseline", "accept", "--last", "0", "--reason", "r"},
      {"baseline", "accept", "--last", "2", "--runs", "1", "--reason", "r"},
      {"judge", "runs"},
      {"runs", "surplus"}};
  desk.import(opgate::tests::kHeader + opgate::tests::samples(1, "add.small.f16", 5000));
  for (const auto& words : wrong) {
    const Said said = desk.run(words);
    BOOST_TEST_CONTEXT((words.empty() ? std::string("no words") : words.back())) {
      BOOST_TEST(said.code == 64);
      BOOST_TEST(holds(said.err, "fix:"));
      BOOST_TEST(said.out.empty());
    }
  }
  BOOST_TEST(holds(desk.run({"judge", "--nonsense"}).err, "usage: opgate judge"));
  BOOST_TEST(holds(desk.run({"show"}).err, "usage: opgate show [OPTIONS] CASE"));
}

BOOST_AUTO_TEST_CASE(the_version_is_that_of_the_build) {
  const Desk desk;
  BOOST_TEST(desk.bare({"--version"}).out == "opgate " OPGATE_VERSION "\n");
  BOOST_TEST(desk.bare({"--version"}).code == 0);
}

BOOST_AUTO_TEST_CASE(a_word_that_is_no_command_is_named) {
  const Desk desk;
  BOOST_TEST(holds(desk.bare({}).err, "opgate: no command is given"));
  BOOST_TEST(holds(desk.bare({"baseline"}).err, "opgate baseline: no command is given"));
  BOOST_TEST(holds(desk.bare({"jugde"}).err, "there is no command jugde; did you mean judge?"));
  BOOST_TEST(holds(desk.bare({"baseline", "acept"}).err, "there is no command acept; did you mean accept?"));
  BOOST_TEST(desk.bare({""}).code == 64);
  BOOST_TEST(!holds(desk.bare({"--history"}).err, "no command"));
  BOOST_TEST(holds(desk.bare({"--nonsense"}).err, "there is no option --nonsense"));
}

BOOST_AUTO_TEST_CASE(a_count_below_one_is_told_in_plain_figures) {
  const Desk desk;
  for (const std::string command : {"runs", "history"}) {
    const Said said = desk.bare({command, "--limit", "0"});
    BOOST_TEST(said.code == 64);
    BOOST_TEST(holds(said.err, "0 not in range 1 to 1000000"));
  }
  BOOST_TEST(holds(desk.bare({"baseline", "diff", "--last", "0"}).err, "0 not in range 1 to 1000000"));
}

BOOST_AUTO_TEST_CASE(a_filter_that_is_no_expression_is_a_usage_error) {
  const Desk desk;
  const Said said = desk.run({"list", "--filter", "("});
  BOOST_TEST(said.code == 64);
  BOOST_TEST(holds(said.err, "is not a regular expression"));
}

BOOST_AUTO_TEST_CASE(help_is_printed_for_every_command) {
  const Desk desk;
  for (const std::string command : {"list", "show", "history", "runs", "judge", "baseline", "import", "export",
                                    "replay", "validate", "doctor", "backup"}) {
    const Said said = desk.bare({command, "--help"});
    BOOST_TEST(said.code == 0);
    BOOST_TEST(holds(said.out, "opgate " + command + " "));
    BOOST_TEST(holds(said.out, "--baselines DIR"));
    BOOST_TEST(holds(desk.bare({"--help"}).out, "\n  " + command + " "));
  }
  BOOST_TEST(!holds(desk.bare({"--help"}).out, "fixture"));
}

BOOST_AUTO_TEST_CASE(common_options_stand_before_or_after_the_command) {
  const Desk desk;
  desk.import(opgate::tests::kHeader + opgate::tests::samples(3, "add.small.f16", 5000));
  const std::string history = desk.at("h.sqlite").string();
  const Said before = desk.bare({"--history", history, "--json", "runs"});
  const Said after = desk.bare({"runs", "--json", "--history", history});
  BOOST_TEST(before.code == 0);
  BOOST_TEST(before.out == after.out);
  BOOST_TEST(before.lines().at(0)["run"] == 3);
}

BOOST_AUTO_TEST_CASE(a_named_history_that_is_missing_is_3_for_every_command_but_import) {
  const Desk desk;
  const std::string missing = desk.at("none.sqlite").string();
  const std::vector<std::vector<std::string>> commands{{"list"},
                                                       {"show", "x"},
                                                       {"history", "x"},
                                                       {"runs"},
                                                       {"judge"},
                                                       {"export"},
                                                       {"validate"},
                                                       {"doctor"},
                                                       {"backup", desk.at("copy").string()},
                                                       {"baseline", "show"},
                                                       {"baseline", "diff", "--last", "5"},
                                                       {"baseline", "accept", "--last", "5", "--reason", "r"},
                                                       {"replay", "x"}};
  for (auto words : commands) {
    words.insert(words.end(), {"--history", missing});
    const Said said = desk.bare(words);
    BOOST_TEST_CONTEXT(words.front()) {
      BOOST_TEST(said.code == 3);
      BOOST_TEST(holds(said.err, "none.sqlite: the history does not exist"));
      BOOST_TEST(!std::filesystem::exists(missing));
    }
  }
  ::setenv("OPGATE_HISTORY", missing.c_str(), 1);
  BOOST_TEST(desk.bare({"list"}).code == 3);
  const Said imported = desk.bare(
      {"import", desk.write("in.csv", opgate::tests::kHeader + opgate::tests::samples(1, "a", 500)).string()});
  ::unsetenv("OPGATE_HISTORY");
  BOOST_TEST(imported.code == 0);
  BOOST_TEST(std::filesystem::exists(missing));
}

BOOST_AUTO_TEST_CASE(a_file_that_is_no_history_is_3_and_left_alone) {
  const Desk desk;
  desk.write("h.sqlite", "not a database at all, but long enough to be looked at by anyone who wants to\n");
  const Said said = desk.run({"runs"});
  BOOST_TEST(said.code == 3);
  BOOST_TEST(holds(said.err, "h.sqlite"));
}

BOOST_AUTO_TEST_SUITE_END()
