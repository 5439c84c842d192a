#include "store/migrations.hpp"

#include <sqlite3.h>

#include <boost/test/unit_test.hpp>

#include "store/fixtures.hpp"

namespace opgate::store::test {
namespace {

// A history as the program of schema 1 left it, write-ahead log and all.
struct Fixture {
  Fixture() {
    const std::string dump = bytes_of(std::filesystem::path(OPGATE_TEST_DATA) / "histories" / "version-1.sql");
    BOOST_REQUIRE(!dump.empty());
    const std::string sql = "PRAGMA journal_mode = WAL;" + dump +
                            "PRAGMA user_version = 1; PRAGMA application_id = " + std::to_string(kApplicationId) + ";";
    sqlite3* database = nullptr;
    BOOST_REQUIRE_EQUAL(sqlite3_open(path.c_str(), &database), SQLITE_OK);
    BOOST_REQUIRE_EQUAL(sqlite3_exec(database, sql.c_str(), nullptr, nullptr, nullptr), SQLITE_OK);
    sqlite3_close(database);
  }

  [[nodiscard]] std::int64_t number(const char* question) const {
    Connection connection(path, OpenMode::read_only, kBusyTimeout);
    Query query = connection.query(question);
    return query.step() ? query.integer(0) : -1;
  }

  TemporaryFolder folder;
  std::filesystem::path path = folder / "history.sqlite";
};

void check_rows(const History& history) {
  BOOST_TEST(history.case_names() == (std::vector<std::string>{"copy.old.f32", "rmsnorm.llama3-8b-decode-1.bf16"}),
             boost::test_tools::per_element());
  const auto imported = history.results({3, "copy.old.f32"});
  BOOST_REQUIRE_EQUAL(imported.size(), 1U);
  const core::ImplementationResult& copy = imported[0].attempts.at(0).implementations.at(0);
  BOOST_REQUIRE_EQUAL(copy.measurement.samples.size(), 3U);
  BOOST_TEST(copy.measurement.samples[1].latency_ns == 1730);
  BOOST_TEST(copy.measurement.samples[1].sm_mhz.value() == 1965);
  BOOST_TEST(copy.measurement.samples[2].n_kernels.value() == 2);

  const auto measured = history.results({4, "rmsnorm.llama3-8b-decode-1.bf16"});
  BOOST_REQUIRE_EQUAL(measured.size(), 1U);
  BOOST_TEST(measured[0].attempts.at(0).device.name == "NVIDIA H200");
  const core::ImplementationResult& ours = measured[0].attempts.at(0).implementations.at(0);
  BOOST_TEST(ours.measurement.median_busy_ns() == 2336);
  BOOST_TEST(ours.kernels.size() == 1U);
  // What schema 1 had no words for.
  BOOST_TEST((ours.measurement.launch == Launch::direct));
  BOOST_TEST(ours.measurement.launch_reason == "");
  BOOST_TEST(ours.measurement.pacing == 0);
  BOOST_TEST(!ours.iterations_asked.has_value());
  BOOST_TEST(ours.launches.empty());
  BOOST_TEST(!ours.measurement.samples[0].work_ns.has_value());
}

}  // namespace

BOOST_FIXTURE_TEST_SUITE(migrations, Fixture)

BOOST_AUTO_TEST_CASE(an_older_history_is_read_and_left_as_it_is) {
  const std::string before = bytes_of(path);
  check_rows(History::open_for_reading(path));
  BOOST_TEST((bytes_of(path) == before));
  BOOST_TEST(number("PRAGMA user_version") == 1);
}

BOOST_AUTO_TEST_CASE(an_older_history_is_read_in_a_folder_that_cannot_be_written) {
  std::filesystem::permissions(folder.path(), std::filesystem::perms(0555));
  std::filesystem::permissions(path, std::filesystem::perms(0444));
  const int answer = in_child(true, [&] {
    return History::open_for_reading(path).results({4, std::nullopt}).at(0).attempts.at(0).device.name == "NVIDIA H200"
               ? 0
               : 1;
  });
  BOOST_TEST(answer == 0);
}

BOOST_AUTO_TEST_CASE(what_reads_an_older_history_cannot_write_it) {
  History history = History::open_for_reading(path);
  BOOST_CHECK_THROW(history.put_result(4, small_result("new")), Error);
}

BOOST_AUTO_TEST_CASE(a_writer_brings_an_older_history_up_to_date_and_keeps_its_rows) {
  {
    History history = History::open_for_writing(path);
    check_rows(history);
    history.put_result(history.open_run(some_run()), full_result());
  }
  BOOST_TEST(number("PRAGMA user_version") == newest_schema());
  BOOST_TEST(number("SELECT count(*) FROM pragma_foreign_key_check") == 0);
  const History history = History::open_for_reading(path);
  const auto kept = history.results({3, "copy.old.f32"});
  BOOST_TEST(kept.at(0).attempts.at(0).implementations.at(0).measurement.samples.size() == 3U);
  BOOST_TEST(text_of(history.results({std::nullopt, "gemm.b.f16"}).at(0)) == text_of(full_result()));
}

BOOST_AUTO_TEST_CASE(figures_of_a_held_call_have_columns_of_their_own) {
  {
    History history = History::open_for_writing(path);
    history.put_result(history.open_run(some_run()), full_result());  // queued
  }
  const char* const kQueued = " FROM implementations WHERE launch = 'queued' AND name = ''";
  const auto column = [&](const std::string& name) { return number(("SELECT " + name + kQueued).c_str()); };
  BOOST_TEST(column("latency_median_ns IS NULL AND gap_median_ns IS NULL") == 1);
  BOOST_TEST(column("queued_latency_median_ns > busy_median_ns AND device_gap_median_ns > 0") == 1);
  BOOST_TEST(column("busy_trimmed_mean_ns BETWEEN busy_p10_ns AND busy_p90_ns") == 1);
  BOOST_TEST(number("SELECT latency_median_ns FROM implementations WHERE launch = 'direct' AND name = ''") == 1700);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace opgate::store::test
