#include <sqlite3.h>
#include <sys/stat.h>

#include <boost/test/unit_test.hpp>
#include <cstring>
#include <functional>

#include "store/fixtures.hpp"
#include "store/history.hpp"
#include "store/migrations.hpp"

namespace opgate::store::test {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

std::string message_of(const std::function<void()>& work) {
  try {
    work();
  } catch (const Error& error) {
    const bool complete = error.kind() == ErrorKind::history && !error.where().empty() && !error.remedy().empty();
    return complete ? error.what() : "incomplete: " + std::string(error.what());
  }
  return "no error";
}

std::string reading(const fs::path& path) {
  return message_of([&] { static_cast<void>(History::open_for_reading(path).results({})); });
}

std::string writing(const fs::path& path, std::chrono::milliseconds patience = 100ms) {
  return message_of([&] { static_cast<void>(History::open_for_writing(path, patience).open_run(some_run(""))); });
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

struct Fixture {
  TemporaryFolder folder;
  fs::path path = folder / "history.sqlite";

  void make_history(int results = 1) const {
    History history = History::open_for_writing(path);
    const auto run_id = history.open_run(some_run());
    for (int i = 0; i < results; ++i) {
      CaseResult result = full_result();
      result.identity.name = "case " + std::to_string(i);
      history.put_result(run_id, result);
    }
  }

  // Both ways of opening refuse it with this text, and no byte of it changes.
  void refused(const std::string& part) const {
    const std::string before = bytes_of(path);
    for (const std::string& text : {reading(path), writing(path)}) {
      BOOST_TEST(has(text, part), text);
      BOOST_TEST(has(text, path.string()), text);
    }
    BOOST_TEST((bytes_of(path) == before));
  }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(faults, Fixture)

BOOST_AUTO_TEST_CASE(a_reader_never_creates) {
  BOOST_TEST(has(reading(path), "there is no history here"), reading(path));
  BOOST_TEST(!fs::exists(path));
  BOOST_TEST(has(reading(folder / "none" / "history.sqlite"), "there is no history here"));
  BOOST_TEST(!fs::exists(folder / "none"));
}

BOOST_AUTO_TEST_CASE(a_history_without_results_is_read_as_such) {
  static_cast<void>(History::open_for_writing(path));
  BOOST_TEST(History::open_for_reading(path).results({}).empty());
}

BOOST_AUTO_TEST_CASE(a_writer_makes_the_folders_it_needs) {
  const fs::path deep = folder / "a" / "b%20?#c" / "history.sqlite";
  BOOST_TEST(writing(deep) == "no error");
  BOOST_TEST(fs::exists(deep));
  BOOST_TEST(reading(deep) == "no error");
}

BOOST_AUTO_TEST_CASE(an_empty_file_is_no_history_but_can_become_one) {
  write_bytes(path, "");
  BOOST_TEST(has(reading(path), "this file is empty"), reading(path));
  BOOST_TEST(writing(path) == "no error");
  BOOST_TEST(reading(path) == "no error");
}

BOOST_AUTO_TEST_CASE(a_folder_is_refused) {
  fs::create_directory(path);
  for (const std::string& text : {reading(path), writing(path)}) {
    BOOST_TEST(has(text, "this is a folder"), text);
  }
}

// Opened, the pipe would wait for a writer for ever.
BOOST_AUTO_TEST_CASE(a_pipe_or_a_device_is_refused) {
  BOOST_REQUIRE(::mkfifo(path.c_str(), 0600) == 0);
  for (const std::string& text : {reading(path), writing(path), reading("/dev/null"), writing("/dev/null")}) {
    BOOST_TEST(has(text, "this is a device, a pipe or a socket"), text);
  }
  BOOST_TEST(!fs::exists("/dev/null-journal"));
}

BOOST_AUTO_TEST_CASE(a_file_as_folder_is_refused) {
  write_bytes(folder / "file", "x");
  BOOST_TEST(has(writing(folder / "file" / "history.sqlite"), "folder cannot be made"));
}

BOOST_AUTO_TEST_CASE(a_text_file_is_refused_unchanged) {
  write_bytes(path, std::string(5000, 'x'));
  refused("no SQLite database");
}

BOOST_AUTO_TEST_CASE(another_database_is_refused_unchanged) {
  execute(path, "CREATE TABLE t (x); INSERT INTO t VALUES (1)");
  refused("not an opgate history");
}

BOOST_AUTO_TEST_CASE(a_newer_schema_is_refused_naming_both_versions) {
  make_history();
  execute(path, "PRAGMA user_version = 977");
  refused("schema 977");
  refused("up to " + std::to_string(newest_schema()));
}

BOOST_AUTO_TEST_CASE(a_newer_schema_with_a_write_ahead_log_is_refused_unchanged) {
  // The newer program died: its last transactions are in the log only.
  const int made = in_child(false, [&] {
    make_history();
    sqlite3* database = nullptr;
    sqlite3_open(path.c_str(), &database);
    return sqlite3_exec(database, "PRAGMA user_version = 977", nullptr, nullptr, nullptr);
  });
  BOOST_REQUIRE_EQUAL(made, 0);
  const std::string log = bytes_of(path.string() + "-wal");
  BOOST_REQUIRE(!log.empty());
  refused("schema 977");
  BOOST_TEST((bytes_of(path.string() + "-wal") == log));
}

BOOST_AUTO_TEST_CASE(an_older_schema_is_named_to_readers) {
  make_history();
  execute(path, "PRAGMA user_version = 0");
  BOOST_TEST(has(reading(path), "has schema 0"), reading(path));
}

BOOST_AUTO_TEST_CASE(a_truncated_history_is_refused_unchanged) {
  make_history(20);
  const std::string whole = bytes_of(path);
  for (const std::size_t size : {std::size_t{50}, std::size_t{3000}, whole.size() / 2, whole.size() - 4096}) {
    write_bytes(path, whole.substr(0, size));
    const std::string text = reading(path);
    BOOST_TEST((has(text, "damaged") || has(text, "no SQLite database")), size << ": " << text);
    BOOST_TEST(bytes_of(path).size() == size);
  }
}

BOOST_AUTO_TEST_CASE(damaged_pages_are_an_error_and_never_a_number) {
  make_history(20);
  const std::string whole = bytes_of(path);
  std::string damaged = whole;
  std::memset(damaged.data() + 4096, 0xa5, damaged.size() - 4096);
  write_bytes(path, damaged);
  BOOST_TEST(has(reading(path), "damaged"), reading(path));
  write_bytes(path, whole);
  BOOST_TEST(History::open_for_reading(path).results({}).size() == 20U);
}

BOOST_AUTO_TEST_CASE(a_damaged_row_names_file_and_remedy) {
  make_history();
  execute(path, "UPDATE samples SET content = x'0102030405'");
  BOOST_TEST(has(reading(path), "stored samples are damaged"), reading(path));
  BOOST_TEST(has(reading(path), path.string()));
  execute(path, "UPDATE attempts SET detail = '{'");
  BOOST_TEST(has(reading(path), "stored detail cannot be read"), reading(path));
  execute(path, "UPDATE results SET verdict = 'fine'");
  BOOST_TEST(has(reading(path), "unknown verdict \"fine\""), reading(path));
}

BOOST_AUTO_TEST_CASE(an_unwritable_folder_is_named) {
  fs::permissions(folder.path(), fs::perms(0555));
  const int code = in_child(true, [&] { return has(writing(path), "cannot be opened") ? 0 : 1; });
  fs::permissions(folder.path(), fs::perms(0755));
  BOOST_TEST(code == 0);
  BOOST_TEST(!fs::exists(path));
}

BOOST_AUTO_TEST_CASE(a_read_only_file_is_not_written) {
  make_history();
  fs::permissions(path, fs::perms(0444));
  fs::permissions(folder.path(), fs::perms(0777));
  const std::string before = bytes_of(path);
  BOOST_TEST(in_child(true, [&] { return has(writing(path), "cannot be written (attempt to write") ? 0 : 1; }) == 0);
  BOOST_TEST((bytes_of(path) == before));
}

BOOST_AUTO_TEST_CASE(a_read_only_folder_can_be_read) {
  make_history();
  fs::permissions(path, fs::perms(0444));
  fs::permissions(folder.path(), fs::perms(0555));
  BOOST_TEST(in_child(true, [&] { return History::open_for_reading(path).results({}).size() == 1 ? 0 : 1; }) == 0);
  fs::permissions(folder.path(), fs::perms(0755));
  BOOST_TEST(!fs::exists(path.string() + "-wal"));
}

BOOST_AUTO_TEST_CASE(what_a_reader_leaves_behind_does_not_stop_the_next_one) {
  make_history();
  BOOST_TEST(reading(path) == "no error");
  for (const char* const left : {"-shm and -wal", "-wal"}) {
    BOOST_TEST_CONTEXT("left: " << left) {
      write_bytes(path.string() + "-wal", "");
      if (std::string(left) == "-wal") {
        fs::remove(path.string() + "-shm");
      }
      fs::permissions(folder.path(), fs::perms(0555));
      BOOST_TEST(in_child(true, [&] { return History::open_for_reading(path).results({}).size() == 1 ? 0 : 1; }) == 0);
      fs::permissions(folder.path(), fs::perms(0755));
    }
  }
}

BOOST_AUTO_TEST_CASE(a_log_in_a_read_only_folder_is_never_left_out) {
  const int made = in_child(false, [&] {  // dies with a result in the log only
    History history = History::open_for_writing(path);
    history.put_result(history.open_run(some_run()), full_result());
    ::_exit(0);
    return 1;
  });
  BOOST_REQUIRE_EQUAL(made, 0);
  fs::remove(path.string() + "-shm");
  fs::permissions(path, fs::perms(0444));
  fs::permissions(folder.path(), fs::perms(0555));
  const int code = in_child(true, [&] { return has(reading(path), "cannot be") ? 0 : 1; });
  fs::permissions(folder.path(), fs::perms(0755));
  BOOST_TEST(code == 0);
  BOOST_TEST(History::open_for_reading(path).results({}).size() == 1U);
}

BOOST_AUTO_TEST_CASE(a_lock_held_too_long_is_named) {
  make_history();
  sqlite3* holder = nullptr;
  BOOST_REQUIRE_EQUAL(sqlite3_open(path.c_str(), &holder), SQLITE_OK);
  BOOST_REQUIRE_EQUAL(sqlite3_exec(holder, "BEGIN IMMEDIATE", nullptr, nullptr, nullptr), SQLITE_OK);
  BOOST_TEST(has(writing(path), "locked for 100 ms"), writing(path));
  BOOST_TEST(reading(path) == "no error");
  sqlite3_close(holder);
  BOOST_TEST(writing(path) == "no error");
}

// A history that was copied with another journal is switched back, which wants the file for itself.
BOOST_AUTO_TEST_CASE(a_lock_held_during_the_switch_to_the_write_ahead_log_is_named) {
  make_history();
  execute(path, "PRAGMA journal_mode = DELETE");
  sqlite3* holder = nullptr;
  BOOST_REQUIRE_EQUAL(sqlite3_open(path.c_str(), &holder), SQLITE_OK);
  BOOST_REQUIRE_EQUAL(sqlite3_exec(holder, "BEGIN IMMEDIATE", nullptr, nullptr, nullptr), SQLITE_OK);
  BOOST_TEST(has(writing(path), "locked for 100 ms"), writing(path));
  sqlite3_close(holder);
  BOOST_TEST(writing(path) == "no error");
}

BOOST_AUTO_TEST_CASE(migrations_are_numbered_in_order) {
  int before = 0;
  for (const Migration* const migration : migrations()) {
    BOOST_TEST(migration->version > before);
    before = migration->version;
  }
  BOOST_TEST(newest_schema() == before);
}

BOOST_AUTO_TEST_CASE(a_writer_uses_the_durable_settings) {
  make_history();
  sqlite3* database = nullptr;
  BOOST_REQUIRE_EQUAL(sqlite3_open(path.c_str(), &database), SQLITE_OK);
  std::string mode;
  const auto keep = [](void* out, int, char** values, char**) {
    *static_cast<std::string*>(out) += std::string(values[0]) + " ";
    return 0;
  };
  sqlite3_exec(database, "PRAGMA journal_mode; PRAGMA application_id; PRAGMA foreign_key_check; PRAGMA integrity_check",
               keep, &mode, nullptr);
  sqlite3_close(database);
  BOOST_TEST(mode == "wal " + std::to_string(kApplicationId) + " ok ");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace opgate::store::test
