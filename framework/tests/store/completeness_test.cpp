// Results that a table has and `series` has not, or the other way round.
#include "store/completeness.hpp"

#include <boost/test/unit_test.hpp>
#include <functional>

#include "store/fixtures.hpp"
#include "store/history.hpp"

namespace opgate::store::test {
namespace {

namespace fs = std::filesystem;

struct Fixture {
  Fixture() {
    History history = History::open_for_writing(path);
    for (int run = 0; run < 2; ++run) {
      const auto id = history.open_run(some_run(""));
      for (const char* const name : {"a", "b"}) history.put_result(id, small_result(name, 2000 + run));
    }
  }

  // Of this page, and of the names it may be asked for.
  [[nodiscard]] std::string told(const Page& page) const {
    try {
      const History history = History::open_for_reading(path);
      return std::to_string(history.results(page).size()) + " results";
    } catch (const Error& error) {
      return error.summary();
    }
  }
  [[nodiscard]] bool names_are_refused(std::optional<std::int64_t> run = std::nullopt) const {
    try {
      const History history = History::open_for_reading(path);
      static_cast<void>(run ? history.case_names(*run) : history.case_names());
      return false;
    } catch (const Error& error) {
      return error.summary().find("the history is damaged: ") == 0;
    }
  }

  TemporaryFolder folder;
  fs::path path = folder / "history.sqlite";
};

bool is_damage(const std::string& told) {
  return told.find("the history is damaged: ") == 0 &&
         told.find(" were found, and the series of their cases has ") != std::string::npos;
}

}  // namespace

BOOST_FIXTURE_TEST_SUITE(completeness, Fixture)

BOOST_AUTO_TEST_CASE(what_is_whole_is_read_by_every_page) {
  BOOST_TEST(told({}) == "4 results");
  BOOST_TEST(told({.limit = 3}) == "3 results");
  BOOST_TEST(told({.case_name = "a"}) == "2 results");
  BOOST_TEST(told({.case_name = "a", .limit = 1}) == "1 results");
  BOOST_TEST(told({.run_id = 1}) == "2 results");
  BOOST_TEST(told({.run_id = 1, .case_name = "a"}) == "1 results");
  BOOST_TEST(told({.case_name = "never"}) == "0 results");
  BOOST_TEST(told({.run_id = 9}) == "0 results");
  BOOST_TEST(!names_are_refused());
  BOOST_TEST(!names_are_refused(1));
}

// Result 4 is b of run 2, the newest.
BOOST_AUTO_TEST_CASE(a_result_that_only_one_of_both_has_is_told_by_every_page_of_it) {
  for (const char* const gone : {"series WHERE result_id", "results WHERE id"}) {
    const std::string whole = bytes_of(path);
    execute(path, std::string("PRAGMA foreign_keys = OFF; DELETE FROM ") + gone + " = 4");
    for (const Page& page : {Page{}, Page{.limit = 1}, Page{.case_name = "b"}, Page{.case_name = "b", .limit = 1},
                             Page{.run_id = 2}, Page{.run_id = 2, .case_name = "b"}}) {
      BOOST_TEST(is_damage(told(page)), gone << ": " << told(page));
    }
    BOOST_TEST(names_are_refused(2), gone);
    BOOST_TEST(told({.case_name = "a"}) == "2 results");
    BOOST_TEST(told({.run_id = 1}) == "2 results");
    for (const char* const beside : {"-wal", "-shm"}) fs::remove(path.string() + beside);
    write_bytes(path, whole);
  }
}

BOOST_AUTO_TEST_CASE(a_case_that_only_the_series_knows_is_told) {
  execute(path,
          "PRAGMA foreign_keys = OFF; DELETE FROM results WHERE case_id = (SELECT id FROM cases WHERE name = 'a')");
  BOOST_TEST(names_are_refused());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace opgate::store::test
