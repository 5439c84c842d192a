#include <sqlite3.h>

#include <boost/test/unit_test.hpp>

#include "app/desk.hpp"
#include "exchange/gzip.hpp"
#include "text/file.hpp"

using namespace opgate::tests;

namespace {

// The file alone: what is in a write-ahead log beside it would be missed.
std::string settled(const Desk& desk) {
  const auto copy = desk.at("settled.sqlite");
  std::filesystem::remove(copy);
  BOOST_REQUIRE(desk.run({"backup", copy.string()}).code == 0);
  return opgate::text::read_file(copy, opgate::ErrorKind::io);
}

void execute(const std::filesystem::path& path, const char* sql) {
  sqlite3* database = nullptr;
  BOOST_REQUIRE_EQUAL(sqlite3_open(path.c_str(), &database), SQLITE_OK);
  BOOST_TEST(sqlite3_exec(database, sql, nullptr, nullptr, nullptr) == SQLITE_OK);
  sqlite3_close(database);
}

// Another machine's history: runs 5 and 8.
struct Machines {
  Machines() {
    other.import(kHeader + samples(5, "tiny", 1700) + samples(5, "wide", 9000) + samples(8, "tiny", 1710));
    here.import(kHeader + samples(5, "tiny", 1900));
    file = here.write("other.sqlite", settled(other));
  }
  Desk other;
  Desk here;
  std::filesystem::path file;
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(import_history, Machines)

BOOST_AUTO_TEST_CASE(runs_are_merged_by_uuid_and_keep_what_they_hold) {
  const std::string bytes = opgate::text::read_file(file, opgate::ErrorKind::io);
  Said said = here.run({"import", file.string()});
  BOOST_TEST(said.code == 0, said.err);
  BOOST_TEST(said.out.find("run 5 became run 9: the history has another run of that number") != std::string::npos,
             said.out);
  BOOST_TEST(said.out.find("imported 2 runs, 3 results, 36 samples") != std::string::npos, said.out);
  const auto before = here.run({"export"}).out;
  auto lines = here.run({"export"}).lines();
  BOOST_REQUIRE(lines.size() == 4U);
  const auto theirs = other.run({"export"}).lines();
  for (const auto& [mine, original] : {std::pair(2, 0), std::pair(3, 1), std::pair(1, 2)}) {
    auto copy = lines.at(static_cast<std::size_t>(mine));
    copy["run"] = theirs.at(static_cast<std::size_t>(original))["run"];
    BOOST_TEST(copy == theirs.at(static_cast<std::size_t>(original)));
  }
  said = here.run({"import", file.string(), "--json"});
  BOOST_TEST(said.code == 0);
  for (const auto& line : said.lines()) BOOST_TEST(line["already_imported"] == true);
  BOOST_TEST(here.run({"export"}).out == before);
  BOOST_TEST(opgate::text::read_file(file, opgate::ErrorKind::io) == bytes);
}

BOOST_AUTO_TEST_CASE(a_packed_history_is_read_as_well) {
  const auto packed = here.write("other.gz", gzip(opgate::text::read_file(file, opgate::ErrorKind::io)));
  BOOST_TEST(here.run({"import", packed.string()}).code == 0);
  BOOST_TEST(here.run({"export"}).lines().size() == 4U);
}

BOOST_AUTO_TEST_CASE(a_conflict_is_named_and_changes_nothing_of_that_run) {
  BOOST_TEST(here.run({"import", file.string()}).code == 0);
  const std::string before = here.run({"export"}).out;
  other.import(kHeader + samples(11, "late", 500));
  const auto changed = here.write("changed.sqlite", settled(other));
  execute(changed,
          "DELETE FROM seals; UPDATE results SET exit_code = 6 WHERE run_id = 5 AND case_id = (SELECT id FROM cases "
          "WHERE name = 'wide')");
  Said said = here.run({"import", changed.string(), "--json"});
  BOOST_TEST(said.code == 3);
  BOOST_TEST(said.err.find("run 5 (") != std::string::npos, said.err);
  BOOST_TEST(said.err.find("with other content: wide; nothing of it was changed") != std::string::npos, said.err);
  BOOST_TEST(said.err.find("fix: ") != std::string::npos);
  const std::string after = here.run({"export"}).out;
  BOOST_TEST(after.starts_with(before));  // run 11 is new and was added
  BOOST_TEST(here.run({"export"}).lines().size() == 5U);
}

BOOST_AUTO_TEST_CASE(a_result_more_or_less_is_a_conflict_too) {
  BOOST_TEST(here.run({"import", file.string()}).code == 0);
  execute(file,
          "PRAGMA foreign_keys = ON; DELETE FROM results WHERE run_id = 5 AND case_id = (SELECT id FROM cases WHERE "
          "name = 'wide')");
  const Said said = here.run({"import", file.string()});
  BOOST_TEST(said.code == 3);
  BOOST_TEST(said.err.find("wide, which is only here") != std::string::npos, said.err);
}

BOOST_AUTO_TEST_CASE(a_newer_history_is_refused_and_nothing_changes) {
  execute(file, "PRAGMA user_version = 977");
  const std::string before = here.run({"export"}).out;
  const Said said = here.run({"import", file.string()});
  BOOST_TEST(said.code == 3);
  BOOST_TEST(said.err.find("other.sqlite: the history has schema 977") != std::string::npos, said.err);
  BOOST_TEST(here.run({"export"}).out == before);
}

BOOST_AUTO_TEST_CASE(a_damaged_history_imports_nothing) {
  std::string bytes = opgate::text::read_file(file, opgate::ErrorKind::io);
  const auto cut = here.write("cut.sqlite", bytes.substr(0, bytes.size() / 2));
  const std::string before = here.run({"export"}).out;
  const Said said = here.run({"import", cut.string()});
  BOOST_TEST(said.code == 3);
  BOOST_TEST(said.err.find("cut.sqlite: ") != std::string::npos, said.err);
  BOOST_TEST(here.run({"export"}).out == before);
}

BOOST_AUTO_TEST_CASE(a_history_imported_into_itself_changes_nothing) {
  const std::string before = here.run({"export"}).out;
  BOOST_TEST(here.run({"import", here.at("h.sqlite").string()}).code == 0);
  BOOST_TEST(here.run({"export"}).out == before);
}

BOOST_AUTO_TEST_SUITE_END()
