#include "run/ctest_run.hpp"

#include <boost/test/unit_test.hpp>

#include "device/environment.hpp"
#include "opgate/error.hpp"
#include "text/file.hpp"

using namespace opgate;

BOOST_FIXTURE_TEST_SUITE(ctest_run, test::Folder)

BOOST_AUTO_TEST_CASE(an_open_run_is_read_as_it_was_written) {
  const auto file = run::open_run_path(path, 1234);
  BOOST_TEST(!run::read_open_run(file).has_value());
  run::write_open_run(file, {.id = 7, .history = "/some where/h.sqlite"});
  BOOST_TEST(run::read_open_run(file).value().id == 7);
  BOOST_TEST(run::read_open_run(file).value().history == "/some where/h.sqlite");
}

BOOST_AUTO_TEST_CASE(two_ctest_processes_of_one_build_tree_have_runs_of_their_own) {
  run::write_open_run(run::open_run_path(path, 10), {.id = 1, .history = "h"});
  run::write_open_run(run::open_run_path(path, 11), {.id = 2, .history = "h"});
  BOOST_TEST(run::read_open_run(run::open_run_path(path, 10)).value().id == 1);
  BOOST_TEST(run::read_open_run(run::open_run_path(path, 11)).value().id == 2);
  BOOST_TEST(!run::read_open_run(run::open_run_path(path, 1)).has_value());
}

BOOST_AUTO_TEST_CASE(a_file_that_cannot_be_understood_is_an_error_that_names_it) {
  const auto file = run::open_run_path(path, 5);
  std::filesystem::create_directories(file.parent_path());
  for (const char* const text : {"", "{\"run\": 1", "{\"run\": \"one\", \"history\": \"h\"}", "{\"history\": \"h\"}"}) {
    text::write_file(file, text, ErrorKind::io);
    BOOST_CHECK_EXCEPTION((void)run::read_open_run(file), Error, [](const Error& error) {
      return error.kind() == ErrorKind::history && std::string(error.what()).find("5.json") != std::string::npos;
    });
  }
}

BOOST_AUTO_TEST_SUITE_END()
