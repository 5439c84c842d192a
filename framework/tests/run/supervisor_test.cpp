#include "run/supervisor.hpp"

#include <unistd.h>

#include <boost/test/unit_test.hpp>

#include "device/environment.hpp"
#include "device/lock.hpp"
#include "opgate/error.hpp"
#include "run/ctest_run.hpp"
#include "run/gpu_choice.hpp"
#include "store/history.hpp"
#include "text/file.hpp"

using namespace opgate;
using namespace std::chrono_literals;

namespace {

// One case, one GPU by the stand-in NVML, and a run that the parent of this process, in ctest's place, has open.
struct Desk : test::Folder {
  Desk() {
    text::write_file(path / "scale.json", R"({"op": "scale", "doc": "y = 2 x", "inputs": {"x": "dtype[n]"},
      "outputs": {"y": "dtype[n]"}, "dtypes": ["f32"], "labels": ["nightly"], "timeout_s": 1,
      "workloads": [{"name": "small", "n": 16}]})",
                     ErrorKind::io);
    run::Project project;
    project.build_dir = path;
    project.specs = {{"scale", path / "scale.json"}};
    project.history = history;
    supervision.project = project;
    supervision.options.case_name = "scale.small.f32";
    supervision.make_world = [](const run::CaseRequest&) -> std::unique_ptr<run::World> {
      throw Error(ErrorKind::op, "no worker may start");
    };
  }
  void open_run() const {
    auto store = store::History::open_for_writing(history);
    const pid_t ctest = ::getppid();
    run::write_open_run(run::open_run_path(path, ctest),
                        {.id = store.open_run({}), .history = history, .ctest_start = run::start_of_process(ctest)});
  }

  test::Variable library{"OPGATE_NVML_LIBRARY", OPGATE_FAKE_NVML};
  test::Variable devices{"FAKE_NVML_DEVICES", "1"};
  test::Variable visible{"CUDA_VISIBLE_DEVICES"};
  test::Variable named{"OPGATE_HISTORY"};
  test::Variable locks{"OPGATE_LOCK_DIR", (path / "locks").string()};
  std::filesystem::path history = path / "history.sqlite";
  run::Supervision supervision;
};

bool is_busy(const Error& error) {
  return error.kind() == ErrorKind::device && error.summary().find("is held by") != std::string::npos;
}

}  // namespace

BOOST_FIXTURE_TEST_SUITE(supervisor, Desk)

BOOST_AUTO_TEST_CASE(a_case_of_ctest_that_does_not_get_the_gpu_is_stored) {
  open_run();
  const auto other = device::DeviceLock::acquire(run::choose_gpu({}).lock_key, "another case", 1s);
  BOOST_CHECK_EXCEPTION((void)run::supervise(supervision), Error, is_busy);
  const auto results = store::History::open_for_reading(history).results({});
  BOOST_REQUIRE_EQUAL(results.size(), 1U);
  BOOST_TEST(results[0].identity.name == "scale.small.f32");
  BOOST_TEST((results[0].exit_code == core::ExitCode::cannot_run));
  BOOST_REQUIRE_EQUAL(results[0].attempts.size(), 1U);
  BOOST_TEST((results[0].attempts[0].status == core::Status::failed));
  BOOST_TEST(results[0].attempts[0].phase == "lock");
  BOOST_TEST(results[0].attempts[0].message.find("another case") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(by_hand_nothing_is_kept_of_it) {
  const auto other = device::DeviceLock::acquire(run::choose_gpu({}).lock_key, "another case", 1s);
  BOOST_CHECK_EXCEPTION((void)run::supervise(supervision), Error, is_busy);
  BOOST_TEST(!std::filesystem::exists(history));
}

BOOST_AUTO_TEST_CASE(a_run_by_hand_keeps_the_options_that_change_its_reading) {
  supervision.options.history = history;
  supervision.options.iterations = 5;
  supervision.executable = path / "absent";
  BOOST_TEST((run::supervise(supervision) != core::ExitCode::pass));  // there is nothing to start
  const auto runs = store::History::open_for_reading(history).runs();
  BOOST_REQUIRE_EQUAL(runs.size(), 1U);
  BOOST_TEST(runs[0].origin == "hand");
  BOOST_TEST(runs[0].options == "--iterations 5");
}

BOOST_AUTO_TEST_SUITE_END()
