#include "run/ctest_run.hpp"

#include <unistd.h>

#include <boost/test/unit_test.hpp>
#include <limits>

#include "device/environment.hpp"
#include "opgate/error.hpp"
#include "text/file.hpp"

using namespace opgate;

BOOST_FIXTURE_TEST_SUITE(ctest_run, test::Folder)

BOOST_AUTO_TEST_CASE(an_open_run_is_read_as_it_was_written) {
  const auto file = run::open_run_path(path, 1234);
  BOOST_TEST(!run::read_open_run(file).has_value());
  run::write_open_run(file, {.id = 7, .history = "/some where/h.sqlite", .ctest_start = "5"});
  BOOST_TEST(run::read_open_run(file).value().id == 7);
  BOOST_TEST(run::read_open_run(file).value().history == "/some where/h.sqlite");
}

BOOST_AUTO_TEST_CASE(two_ctest_processes_of_one_build_tree_have_runs_of_their_own) {
  run::write_open_run(run::open_run_path(path, 10), {.id = 1, .history = "h", .ctest_start = "5"});
  run::write_open_run(run::open_run_path(path, 11), {.id = 2, .history = "h", .ctest_start = "5"});
  BOOST_TEST(run::read_open_run(run::open_run_path(path, 10)).value().id == 1);
  BOOST_TEST(run::read_open_run(run::open_run_path(path, 11)).value().id == 2);
  BOOST_TEST(!run::read_open_run(run::open_run_path(path, 1)).has_value());
}

// A killed ctest leaves its file, and another process gets its number: a shell, from which a case is started by hand.
BOOST_AUTO_TEST_CASE(the_file_of_a_dead_process_of_the_same_number_is_not_ours) {
  const pid_t me = ::getpid();
  BOOST_TEST(!run::open_run_of(path, me).has_value());
  run::write_open_run(run::open_run_path(path, me),
                      {.id = 3, .history = "h", .ctest_start = run::start_of_process(me)});
  BOOST_TEST(run::open_run_of(path, me).value().id == 3);
  run::write_open_run(run::open_run_path(path, me), {.id = 3, .history = "h", .ctest_start = "1"});
  BOOST_TEST(!run::open_run_of(path, me).has_value());
}

BOOST_AUTO_TEST_CASE(files_of_dead_processes_and_our_own_are_removed_and_no_others) {
  const pid_t dead = std::numeric_limits<pid_t>::max();  // above every limit of the kernel
  for (const pid_t process : {::getpid(), dead, pid_t{1}}) {
    run::write_open_run(run::open_run_path(path, process), {.id = 3, .history = "h", .ctest_start = "5"});
  }
  run::remove_left_behind(path, ::getpid());
  BOOST_TEST(!std::filesystem::exists(run::open_run_path(path, ::getpid())));
  BOOST_TEST(!std::filesystem::exists(run::open_run_path(path, dead)));
  BOOST_TEST(std::filesystem::exists(run::open_run_path(path, 1)));
  run::remove_left_behind(path / "none", 5);
}

// Of the processes of another host that shares the build folder, this one knows nothing.
BOOST_AUTO_TEST_CASE(files_of_other_hosts_are_left_alone) {
  const auto ours = run::open_run_path(path, 10);
  const std::string dead = std::to_string(std::numeric_limits<pid_t>::max());
  BOOST_TEST(!run::host_name().empty());
  BOOST_TEST(ours.filename() == run::host_name() + "-10.json");
  const auto theirs = ours.parent_path() / ("of-another-" + run::host_name() + "-" + dead + ".json");
  run::write_open_run(theirs, {.id = 3, .history = "h", .ctest_start = "5"});
  run::remove_left_behind(path, ::getpid());
  BOOST_TEST(std::filesystem::exists(theirs));
}

BOOST_AUTO_TEST_CASE(a_process_has_one_start_and_another_one_another) {
  BOOST_TEST(run::start_of_process(::getpid()) == run::start_of_process(::getpid()));
  BOOST_TEST(!run::start_of_process(::getpid()).empty());
  BOOST_TEST(run::start_of_process(::getpid()) != run::start_of_process(1));
  BOOST_TEST(run::start_of_process(-1) == "");
}

BOOST_AUTO_TEST_CASE(a_file_that_cannot_be_understood_is_an_error_that_names_it) {
  const auto file = run::open_run_path(path, 5);
  std::filesystem::create_directories(file.parent_path());
  for (const char* const text : {"", "{\"run\": 1", "{\"run\": \"one\", \"history\": \"h\"}", "{\"history\": \"h\"}",
                                 "{\"run\": 1, \"history\": \"h\"}"}) {
    text::write_file(file, text, ErrorKind::io);
    BOOST_CHECK_EXCEPTION((void)run::read_open_run(file), Error, [](const Error& error) {
      return error.kind() == ErrorKind::history && std::string(error.what()).find("-5.json") != std::string::npos;
    });
  }
}

BOOST_AUTO_TEST_SUITE_END()
