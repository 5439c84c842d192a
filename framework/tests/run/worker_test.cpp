#include "run/worker.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <boost/test/unit_test.hpp>
#include <fstream>

#include "collect/trace.hpp"
#include "device/environment.hpp"
#include "measure/fakes.hpp"
#include "opgate/error.hpp"

using namespace opgate;
using core::Status;

namespace {

// A world that does as a test says: `at` runs at the beginning of each step that a worker takes.
class FakeWorld final : public run::World {
 public:
  core::DeviceIdentity open(bool tracing) override {
    traced = tracing;
    step("open");
    core::DeviceIdentity device;
    device.name = "NVIDIA H200";
    device.tick_ns = 32;
    return device;
  }
  [[nodiscard]] std::string unmet_requirement() const override { return unmet; }
  void set_up() override { step("set_up"); }
  [[nodiscard]] std::optional<std::string> check(run::CheckKind kind) override {
    step(kind == run::CheckKind::before_timing ? "check" : "recheck");
    return kind == run::CheckKind::before_timing ? wrong_before : wrong_after;
  }
  [[nodiscard]] std::vector<Candidate> candidates() override {
    return {{.name = "", .run = [this](Stream) { call(); }, .reset = {}}};
  }
  [[nodiscard]] collect::Collector& collector() override { return tracer; }
  [[nodiscard]] measure::Stage& stage() override { return device; }
  [[nodiscard]] core::DeviceState state() override {
    step("state");
    core::DeviceState state;
    state.sm_mhz = 1980;
    return state;
  }
  void profile() override { step("profile"); }
  [[nodiscard]] bool replayed() const noexcept override { return false; }

  void step(const std::string& name) {
    steps.push_back(name);
    if (at) {
      at(name);
    }
  }

  test::FakeCollector tracer;
  test::FakeStage device{5000, tracer};
  std::function<void(const std::string&)> at;
  std::function<void()> call = [this] { tracer.launch("add", 2000); };
  std::string unmet;
  std::optional<std::string> wrong_before, wrong_after;
  std::vector<std::string> steps;
  bool traced = false;
};

struct Desk : test::Folder {
  Desk() {
    request.identity.name = "add.small.f16";
    bench.iterations = 12;
    bench.launch = Launch::direct;  // queued_test.cpp has the rest
    bench.pacing = 0;
    bench.probe_clock = false;
  }
  core::Attempt attempt() {
    phases.clear();
    return run::run_attempt(world, request, options, bench, [this](const std::string& p) { phases.push_back(p); });
  }
  // One step throws an Error of `kind`.
  void fail_at(const std::string& step, ErrorKind kind) {
    world.at = [=](const std::string& now) {
      if (now == step) throw Error(kind, "no luck", step, "try again");
    };
  }
  FakeWorld world;
  run::CaseRequest request;
  run::CaseOptions options;
  BenchOptions bench;
  std::vector<std::string> phases;
};

bool holds(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

BOOST_FIXTURE_TEST_SUITE(worker, Desk)

BOOST_AUTO_TEST_CASE(a_good_attempt_holds_the_reading_the_states_and_where_the_time_went) {
  const core::Attempt good = attempt();
  BOOST_TEST_CONTEXT(good.message) BOOST_REQUIRE((good.status == Status::measured));
  BOOST_TEST(!good.error.has_value());
  BOOST_REQUIRE(good.implementations.size() == 1U);
  BOOST_TEST(good.implementations[0].measurement.samples.size() == 12U);
  BOOST_TEST(good.implementations[0].measurement.median_busy_ns() == 2000);
  BOOST_TEST(good.device.name == "NVIDIA H200");
  BOOST_TEST(good.before.sm_mhz.value() == 1980);
  BOOST_TEST(good.after.sm_mhz.value() == 1980);
  BOOST_TEST(good.started_unix_ms > 0);
  BOOST_TEST(good.phase_wall_ns.count("measure") == 1U);
  std::int64_t sum = 0;
  for (const auto& [phase, wall_ns] : good.phase_wall_ns) sum += wall_ns;
  BOOST_TEST(good.wall_ns == sum);
  const std::vector<std::string> steps{"open", "set_up", "check", "state", "state", "recheck"};
  BOOST_TEST(world.steps == steps, boost::test_tools::per_element());
  const std::vector<std::string> told{"context", "set-up", "check", "state", "measure"};
  for (const std::string& phase : told) {
    BOOST_TEST((std::find(phases.begin(), phases.end(), phase) != phases.end()), phase + " was not told");
  }
  BOOST_TEST(world.traced);
}

BOOST_AUTO_TEST_CASE(a_good_attempt_says_what_one_call_launched_and_how_many_were_asked_for) {
  const core::Attempt good = attempt();
  BOOST_REQUIRE(good.implementations.size() == 1U);
  BOOST_REQUIRE(good.implementations[0].launches.size() == 1U);
  BOOST_TEST((good.implementations[0].launches[0] == core::GroupLaunches{{{"add", 1}}, 0}));
  BOOST_TEST(good.implementations[0].iterations_asked.value() == 12);
  BOOST_TEST(good.implementations[0].measurement.samples[0].work_ns.value() == 2000);
}

BOOST_AUTO_TEST_CASE(an_error_of_any_step_is_told_with_its_phase_and_gives_no_number) {
  const std::vector<std::pair<std::string, std::string>> steps{
      {"open", "context"}, {"set_up", "set-up"}, {"check", "check"}, {"state", "state"}};
  for (const auto& [step, phase] : steps) {
    fail_at(step, ErrorKind::cuda);
    const core::Attempt failed = attempt();
    BOOST_TEST_CONTEXT(step) {
      BOOST_TEST((failed.status == Status::failed));
      BOOST_TEST((failed.error == ErrorKind::cuda));
      BOOST_TEST(failed.phase == phase);
      BOOST_TEST(failed.message == step + ": no luck\n  fix: try again");
      BOOST_TEST(failed.implementations.empty());
    }
  }
}

BOOST_AUTO_TEST_CASE(an_error_that_says_the_reading_is_void_is_untrusted_and_any_other_cannot_run) {
  fail_at("set_up", ErrorKind::unproven);
  BOOST_TEST((attempt().status == Status::untrusted));
  fail_at("set_up", ErrorKind::cupti);
  BOOST_TEST((attempt().status == Status::failed));
}

BOOST_AUTO_TEST_CASE(other_exceptions_are_the_op_s) {
  world.call = [] { throw std::runtime_error("the op is tired"); };
  const core::Attempt tired = attempt();
  BOOST_TEST((tired.status == Status::failed));
  BOOST_TEST((tired.error == ErrorKind::op));
  BOOST_TEST(tired.message == "the op threw the op is tired");
  BOOST_TEST(tired.phase == "calibrate");
  world.call = [] { throw 7; };
  BOOST_TEST(holds(attempt().message, "no std::exception"));
}

BOOST_AUTO_TEST_CASE(an_op_that_throws_while_it_is_measured_leaves_no_phase_open) {
  world.call = [this] {
    if (world.tracer.labelled()) throw std::runtime_error("now");
    world.tracer.launch("add", 2000);
  };
  const core::Attempt thrown = attempt();
  BOOST_TEST((thrown.status == Status::failed));
  BOOST_TEST(world.tracer.abandoned == 1);
  BOOST_TEST(!world.tracer.labelled());
}

BOOST_AUTO_TEST_CASE(a_wrong_result_before_timing_is_never_timed) {
  world.wrong_before = "output \"c\" differs";
  const core::Attempt wrong = attempt();
  BOOST_TEST((wrong.status == Status::wrong));
  BOOST_TEST((wrong.error == ErrorKind::wrong_result));
  BOOST_TEST(wrong.phase == "check");
  BOOST_TEST(wrong.message == "output \"c\" differs");
  BOOST_TEST(world.tracer.plans.empty());
}

BOOST_AUTO_TEST_CASE(a_wrong_result_after_timing_keeps_the_reading_as_evidence) {
  world.wrong_after = "output \"c\" differs";
  const core::Attempt wrong = attempt();
  BOOST_TEST((wrong.status == Status::wrong));
  BOOST_TEST(wrong.phase == "recheck");
  BOOST_TEST(wrong.implementations.size() == 1U);
}

BOOST_AUTO_TEST_CASE(an_unmet_requirement_skips_before_anything_is_allocated) {
  world.unmet = "needs compute capability 100";
  const core::Attempt skipped = attempt();
  BOOST_TEST((skipped.status == Status::skipped));
  BOOST_TEST(skipped.message == "needs compute capability 100");
  BOOST_TEST(world.steps.size() == 1U);
}

BOOST_AUTO_TEST_CASE(a_rate_above_the_devices_is_impossible_and_gives_no_number) {
  request.identity.dtype = "f16";
  request.identity.bytes_read = 9'000'000;  // in 2 us: 4.5 TB/s
  request.identity.bytes_written = 0;
  BOOST_TEST((attempt().status == Status::measured));
  request.identity.bytes_read = 10'000'000;
  const core::Attempt fast = attempt();
  BOOST_TEST((fast.status == Status::untrusted));
  BOOST_TEST((fast.error == ErrorKind::impossible));
  BOOST_TEST(holds(fast.message, "5.00 TB/s"));
  BOOST_TEST(fast.implementations.empty());
}

BOOST_AUTO_TEST_CASE(a_reading_below_one_tick_is_impossible) {
  world.call = [this] { world.tracer.launch("add", 31); };
  const core::Attempt below = attempt();
  BOOST_TEST((below.status == Status::untrusted));
  BOOST_TEST((below.error == ErrorKind::impossible));
  BOOST_TEST(holds(below.message, "31 ns"));
  BOOST_TEST(below.implementations.empty());
  world.call = [this] { world.tracer.launch("add", 32); };
  BOOST_TEST((attempt().status == Status::measured));
}

BOOST_AUTO_TEST_CASE(issues_are_told_with_their_remedy_and_give_no_number) {
  world.call = [] {};
  const core::Attempt empty = attempt();
  BOOST_TEST((empty.status == Status::untrusted));
  BOOST_TEST((empty.error == ErrorKind::attribution));
  BOOST_TEST(holds(empty.message, "this op: iteration 0 launched nothing"));
  BOOST_TEST(holds(empty.message, "\n  fix: "));
  BOOST_TEST(empty.implementations.empty());
}

BOOST_AUTO_TEST_CASE(records_lost_in_every_attempt_are_untrusted) {
  world.tracer.drops = {3, 3, 3, 3, 3, 3};
  const core::Attempt lost = attempt();
  BOOST_TEST((lost.status == Status::untrusted));
  BOOST_TEST((lost.error == ErrorKind::records_lost));
  BOOST_TEST(lost.implementations.empty());
}

BOOST_AUTO_TEST_CASE(a_recorded_trace_holds_the_case_and_its_phases) {
  options.record = path / "add.trace.jsonl";
  BOOST_TEST((attempt().status == Status::measured));
  const collect::Trace trace = collect::read_trace(*options.record);
  BOOST_TEST(trace.identity.name == "add.small.f16");
  BOOST_TEST(trace.device.name == "NVIDIA H200");
  BOOST_TEST(trace.phases.size() == world.tracer.plans.size());
  BOOST_TEST(!trace.phases.empty());
  BOOST_TEST(!trace.calibrations_ns.empty());
  BOOST_TEST(trace.external_kind == test::FakeCollector::kKind);
}

BOOST_AUTO_TEST_CASE(a_reading_that_cannot_be_trusted_is_recorded_all_the_same) {
  options.record = path / "add.trace.jsonl";
  world.call = [] {};
  BOOST_TEST((attempt().status == Status::untrusted));
  BOOST_TEST(!collect::read_trace(*options.record).phases.empty());
}

BOOST_AUTO_TEST_CASE(a_trace_that_cannot_be_written_is_told) {
  options.record = path / "none" / "add.trace.jsonl" / "x";
  std::filesystem::create_directories(path / "none");

  std::ofstream(path / "none" / "add.trace.jsonl") << "a file";
  const core::Attempt failed = attempt();
  BOOST_TEST((failed.status == Status::failed));
  BOOST_TEST(holds(failed.message, "add.trace.jsonl"));
}

BOOST_AUTO_TEST_CASE(check_compares_and_does_not_trace) {
  options.mode = run::Mode::check;
  BOOST_TEST((attempt().status == Status::measured));
  const std::vector<std::string> steps{"open", "set_up", "check"};
  BOOST_TEST(world.steps == steps, boost::test_tools::per_element());
  BOOST_TEST(!world.traced);
  BOOST_TEST(world.tracer.starts == 0);
  world.wrong_before = "wrong";
  BOOST_TEST((attempt().status == Status::wrong));
}

BOOST_AUTO_TEST_CASE(profile_calls_and_does_not_trace) {
  options.mode = run::Mode::profile;
  BOOST_TEST((attempt().status == Status::measured));
  const std::vector<std::string> steps{"open", "set_up", "profile"};
  BOOST_TEST(world.steps == steps, boost::test_tools::per_element());
  BOOST_TEST(!world.traced);
}

BOOST_AUTO_TEST_CASE(events_need_no_tracing) {
  options.timing = bench.timing = Timing::cuda_events;
  const core::Attempt timed = attempt();
  BOOST_TEST_CONTEXT(timed.message) BOOST_TEST((timed.status == Status::measured));
  BOOST_TEST(!world.traced);
  BOOST_TEST(timed.implementations.at(0).measurement.median_busy_ns() == 5000);
}

namespace {

void fork_and_wait() {
  const pid_t child = ::fork();
  if (child == 0) {
    ::_exit(0);
  }
  ::waitpid(child, nullptr, 0);
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_fork_in_a_call_fails_the_attempt_in_its_phase) {
  int calls = 0;
  world.call = [&] {
    world.tracer.launch("add", 2000);
    if (++calls == 1) fork_and_wait();
  };
  const core::Attempt forked = attempt();
  BOOST_TEST((forked.status == Status::failed));
  BOOST_TEST((forked.error.value() == ErrorKind::op));
  BOOST_TEST(forked.phase == "calibrate");
  BOOST_TEST(holds(forked.message, "forked this process once"), forked.message);
  BOOST_TEST(holds(forked.message, "fix: "), forked.message);
  BOOST_TEST(forked.implementations.empty());
}

BOOST_AUTO_TEST_CASE(a_fork_in_the_check_fails_the_attempt_and_one_in_set_up_does_not) {
  world.at = [](const std::string& now) {
    if (now == "check") fork_and_wait();
  };
  BOOST_TEST(attempt().phase == "check");
  world.at = [](const std::string& now) {
    if (now == "set_up") fork_and_wait();
  };
  BOOST_TEST((attempt().status == Status::measured));
}

BOOST_AUTO_TEST_CASE(a_copy_that_comes_back_into_the_framework_is_ended) {
  std::array<int, 2> pipe{};
  BOOST_TEST_REQUIRE(::pipe(pipe.data()) == 0);
  pid_t child = 0;
  world.call = [&] {
    world.tracer.launch("add", 2000);
    if (child == 0) child = ::fork();
  };
  const pid_t self = ::getpid();
  const core::Attempt forked = attempt();
  if (::getpid() != self) {
    (void)!::write(pipe[1], "!", 1);  // it was let through
    ::_exit(0);
  }
  int status = 0;
  BOOST_TEST(::waitpid(child, &status, 0) == child);
  BOOST_TEST(WIFEXITED(status));
  BOOST_TEST(WEXITSTATUS(status) == 3);
  ::close(pipe[1]);
  char byte = 0;
  BOOST_TEST(::read(pipe[0], &byte, 1) == 0);
  ::close(pipe[0]);
  BOOST_TEST((forked.status == Status::failed));
}

BOOST_AUTO_TEST_SUITE_END()
