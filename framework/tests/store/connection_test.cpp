#include <boost/test/unit_test.hpp>
#include <functional>

#include "store/copy_pages.hpp"
#include "store/fixtures.hpp"
#include "store/sqlite.hpp"

namespace opgate::store::test {
namespace {

using namespace std::chrono_literals;

struct Fixture {
  TemporaryFolder folder;
  std::filesystem::path path = folder / "numbers.sqlite";
  Connection connection{path, OpenMode::create, 100ms};
};

std::string message_of(const std::function<void()>& work) {
  try {
    work();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

BOOST_FIXTURE_TEST_SUITE(connection, Fixture)

BOOST_AUTO_TEST_CASE(one_text_may_be_asked_twice_at_a_time) {
  connection.execute("CREATE TABLE numbers (n); INSERT INTO numbers VALUES (1), (2)");
  const char* const sql = "SELECT n FROM numbers ORDER BY n";
  int pairs = 0;
  for (Query outer = connection.query(sql); outer.step();) {
    for (Query inner = connection.query(sql); inner.step();) {
      pairs += 10 * static_cast<int>(outer.integer(0)) + static_cast<int>(inner.integer(0));
    }
  }
  BOOST_TEST(pairs == 11 + 12 + 21 + 22);
}

BOOST_AUTO_TEST_CASE(a_query_that_moved_keeps_its_row) {
  Query first = connection.query("SELECT ?1");
  BOOST_REQUIRE(first.bind(std::int64_t{7}).step());
  const Query second = std::move(first);
  BOOST_TEST(second.integer(0) == 7);
}

BOOST_AUTO_TEST_CASE(a_value_for_which_there_is_no_place_is_an_error) {
  Query query = connection.query("SELECT ?1");
  query.bind(std::int64_t{1});
  const std::string text = message_of([&] { query.bind(std::int64_t{2}); });
  BOOST_TEST(has(text, "SQLite refused"), text);
  BOOST_TEST(has(text, path.string()), text);
}

BOOST_AUTO_TEST_CASE(a_full_disk_says_to_free_space) {
  connection.execute("PRAGMA max_page_count = 4; CREATE TABLE numbers (n)");
  const std::string text = message_of([&] { connection.execute("INSERT INTO numbers VALUES (zeroblob(50000))"); });
  BOOST_TEST(has(text, "fix: free space on its disk, then run again"), text);
}

BOOST_AUTO_TEST_CASE(every_failure_has_a_remedy_of_its_own) {
  const auto remedy = [&](int code) { return std::string(connection.error(code).what()); };
  BOOST_TEST(has(remedy(10), "fix: check the disk, then run again"), remedy(10));           // SQLITE_IOERR
  BOOST_TEST(has(remedy(5), "has kept the history locked for 100 ms"), remedy(5));          // SQLITE_BUSY
  BOOST_TEST(has(remedy(8), "fix: make the file and its folder writable"), remedy(8));      // SQLITE_READONLY
  BOOST_TEST(has(remedy(11), "fix: restore a copy made by `opgate backup`"), remedy(11));   // SQLITE_CORRUPT
  BOOST_TEST(has(remedy(26), "this is no SQLite database, or its beginning"), remedy(26));  // SQLITE_NOTADB
  BOOST_TEST(has(remedy(14), "the history cannot be opened"), remedy(14));                  // SQLITE_CANTOPEN
}

BOOST_AUTO_TEST_CASE(pages_are_not_copied_onto_themselves) {
  BOOST_TEST(has(message_of([&] { copy_pages(connection, connection); }), path.string()));
}

BOOST_AUTO_TEST_CASE(a_copy_that_cannot_be_finished_is_an_error) {
  connection.execute("CREATE TABLE numbers (n); INSERT INTO numbers VALUES (zeroblob(100000))");
  Connection target(folder / "copy.sqlite", OpenMode::create, 100ms);
  Connection holder(folder / "copy.sqlite", OpenMode::create, 100ms);
  holder.execute("BEGIN EXCLUSIVE");
  const std::string text = message_of([&] { copy_pages(connection, target); });
  BOOST_TEST(has(text, "copy.sqlite"), text);
  BOOST_TEST(has(text, "locked"), text);
  holder.execute("COMMIT");
  copy_pages(connection, target);
  BOOST_TEST(target.query("SELECT length(n) FROM numbers").step());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace opgate::store::test
