#include <boost/test/unit_test.hpp>

#include "store/fixtures.hpp"
#include "store/history.hpp"

namespace opgate::store::test {
namespace {

struct Fixture {
  TemporaryFolder folder;
  std::filesystem::path path = folder / "history.sqlite";
  std::filesystem::path copy = folder / "copy.sqlite";

  [[nodiscard]] std::size_t files() const {
    return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(folder.path()), {}));
  }
};

bool is_history_error(const Error& error) {
  return error.kind() == ErrorKind::history && !error.where().empty() && !error.remedy().empty();
}

}  // namespace

BOOST_FIXTURE_TEST_SUITE(backup, Fixture)

BOOST_AUTO_TEST_CASE(a_backup_taken_while_others_write_holds_everything) {
  History writer = History::open_for_writing(path);  // its rows are in the write-ahead log still
  const auto run_id = writer.open_run(some_run());
  writer.put_result(run_id, full_result());
  const auto open = writer.begin_case(run_id, small_result("running"));
  store::backup(path, copy);
  writer.finish_case(open, std::nullopt, core::ExitCode::pass);

  History back = History::open_for_writing(copy);
  BOOST_TEST(text_of(back.results({.case_name = full_result().identity.name}).at(0)) == text_of(full_result()));
  BOOST_TEST(!back.results({.case_name = "running"}).at(0).exit_code.has_value());
  BOOST_TEST(text_of(back.run(run_id).value()) == text_of(writer.run(run_id).value()));
  BOOST_TEST(back.open_run(some_run("")) == run_id + 1);
}

BOOST_AUTO_TEST_CASE(a_backup_leaves_one_file_that_reads_alone) {
  History::open_for_writing(path).open_run(some_run());
  store::backup(path, copy);
  for (const auto& entry : std::filesystem::directory_iterator(folder.path())) {
    const std::string name = entry.path().filename().string();
    BOOST_TEST((name == "copy.sqlite" || name.starts_with("history.sqlite")), name);
  }
  std::filesystem::permissions(copy, std::filesystem::perms(0444));
  std::filesystem::permissions(folder.path(), std::filesystem::perms(0555));
  BOOST_TEST(in_child(true, [&] { return History::open_for_reading(copy).runs().size() == 1 ? 0 : 1; }) == 0);
}

BOOST_AUTO_TEST_CASE(it_refuses_to_overwrite) {
  History::open_for_writing(path).open_run(some_run());
  write_bytes(copy, "precious");
  BOOST_CHECK_EXCEPTION(store::backup(path, copy), Error, is_history_error);
  BOOST_TEST(bytes_of(copy) == "precious");
  BOOST_CHECK_EXCEPTION(store::backup(path, path), Error, is_history_error);
  BOOST_TEST(History::open_for_reading(path).runs().size() == 1U);
  std::filesystem::remove(copy);
  std::filesystem::create_symlink(folder / "nowhere", copy);
  BOOST_CHECK_EXCEPTION(store::backup(path, copy), Error, is_history_error);
}

BOOST_AUTO_TEST_CASE(without_a_history_nothing_is_made) {
  BOOST_CHECK_EXCEPTION(store::backup(path, copy), Error, is_history_error);
  BOOST_TEST(files() == 0U);
}

BOOST_AUTO_TEST_CASE(a_missing_destination_folder_is_an_error) {
  History::open_for_writing(path).open_run(some_run());
  BOOST_CHECK_EXCEPTION(store::backup(path, folder / "none" / "copy.sqlite"), Error, is_history_error);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace opgate::store::test
