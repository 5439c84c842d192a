#include "run/settle.hpp"

#include <boost/test/unit_test.hpp>
#include <deque>

#include "device/environment.hpp"
#include "opgate/error.hpp"
#include "store/baseline_file.hpp"
#include "store/waiver_file.hpp"
#include "text/file.hpp"

using namespace opgate;
using core::Verdict;

namespace {

constexpr const char* kDevice = "NVIDIA H200";
constexpr int kAccepted = 20'000;  // ns
constexpr int kSlow = 22'000;
constexpr int kLibrary = 15'000;

core::Attempt measured(int busy_ns, std::optional<std::int32_t> sm_mhz = 1980) {
  core::Attempt attempt;
  attempt.status = core::Status::measured;
  attempt.device.name = kDevice;
  attempt.device.uuid = "GPU-1";
  core::ImplementationResult ours;
  for (int i = 0; i < 12; ++i) {
    Sample sample;
    sample.busy_ns = sample.latency_ns = busy_ns;
    sample.sm_mhz = sm_mhz;
    ours.measurement.samples.push_back(sample);
  }
  ours.kernel_groups = {"1 x add"};
  attempt.implementations.push_back(ours);
  return attempt;
}

// 3 % slower at a clock 3 % lower.
core::Attempt throttled() {
  return measured(20'600, 1920);
}

core::Attempt with_library(int busy_ns, int library_ns) {
  core::Attempt attempt = measured(busy_ns);
  core::ImplementationResult library = measured(library_ns).implementations.front();
  library.measurement.name = "cublas";
  attempt.implementations.push_back(library);
  return attempt;
}

core::Attempt lossy() {
  core::Attempt attempt;
  attempt.status = core::Status::untrusted;
  attempt.error = ErrorKind::records_lost;
  return attempt;
}

store::CaseResult result_of(int busy_ns) {
  store::CaseResult result;
  result.identity.name = "add.small.f16";
  result.identity.op = "add";
  result.attempts.push_back(measured(busy_ns));
  return result;
}

// A folder that holds the baseline of five runs, and fresh workers that give what they are told.
struct Bench : test::Folder {
  Bench() {
    std::vector<core::CaseRun> runs;
    for (int i = 0; i < 5; ++i) {
      store::CaseResult result = result_of(kAccepted);
      result.attempts.front() = with_library(kAccepted, kLibrary);
      runs.push_back(store::case_run(result, result.attempts.front()).value());
    }
    store::BaselineFile file{.device_name = kDevice, .op = "add", .cases = {}};
    file.cases["add.small.f16"] = {.baseline = core::summarise(runs),
                                   .accepted = {"me", "2026-01-01T00:00:00Z", "", "test", {"u"}}};
    store::save_baseline_file(file, baseline);
  }
  core::Judgement settle(store::CaseResult& result) {
    const auto fresh_worker = [this]() -> std::optional<core::Attempt> {
      ++asked;
      if (workers.empty()) {
        return std::nullopt;  // no time left
      }
      core::Attempt next = std::move(workers.front());
      workers.pop_front();
      return next;
    };
    return run::settle(result, path, fresh_worker, today);
  }
  std::filesystem::path baseline = store::baseline_path(path, kDevice, "add");
  std::deque<core::Attempt> workers;
  int asked = 0;
  std::string today = "2026-06-01";
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(settle, Bench)

BOOST_AUTO_TEST_CASE(a_case_that_is_no_suspect_needs_no_second_worker) {
  store::CaseResult result = result_of(kAccepted);
  BOOST_TEST((settle(result).verdict == Verdict::pass));
  BOOST_TEST(asked == 0);
  BOOST_TEST(result.attempts.size() == 1U);
}

BOOST_AUTO_TEST_CASE(without_a_baseline_there_is_no_suspect) {
  store::CaseResult result = result_of(kSlow);
  std::filesystem::remove(baseline);
  BOOST_TEST((settle(result).verdict == Verdict::no_baseline));
  BOOST_TEST(asked == 0);
}

BOOST_AUTO_TEST_CASE(a_suspect_that_a_fresh_worker_confirms_is_regressed) {
  store::CaseResult result = result_of(kSlow);
  workers = {measured(kSlow)};
  BOOST_TEST((settle(result).verdict == Verdict::regressed));
  BOOST_TEST(asked == 1);
  BOOST_REQUIRE(result.attempts.size() == 2U);
  BOOST_TEST(result.attempts[1].number == 2);
  BOOST_TEST(result.attempts[1].purpose == "confirm");
}

constexpr int kJustSlow = 20'300;  // 1.5 %, and more than three ticks

BOOST_AUTO_TEST_CASE(a_change_near_its_limit_needs_two_fresh_workers) {
  store::CaseResult result = result_of(kJustSlow);
  workers = {measured(kJustSlow), measured(kJustSlow), measured(kAccepted)};
  const core::Judgement judgement = settle(result);
  BOOST_TEST((judgement.verdict == Verdict::regressed));
  BOOST_TEST(asked == 2);
  BOOST_TEST(
      judgement.reason.find("a fresh process confirms it with +1.5 %, another one with +1.5 %") != std::string::npos,
      judgement.reason);
}

BOOST_AUTO_TEST_CASE(a_change_near_its_limit_that_the_second_fresh_worker_does_not_show_passes) {
  store::CaseResult result = result_of(kJustSlow);
  workers = {measured(kJustSlow), measured(kAccepted)};
  const core::Judgement judgement = settle(result);
  BOOST_TEST((judgement.verdict == Verdict::pass));
  BOOST_TEST(judgement.reason.find("two readings were slower") != std::string::npos, judgement.reason);
  BOOST_TEST(result.attempts.size() == 3U);
}

BOOST_AUTO_TEST_CASE(a_confirmed_change_near_its_limit_stands_where_there_is_no_time_for_a_second_worker) {
  store::CaseResult result = result_of(kJustSlow);
  workers = {measured(kJustSlow)};
  BOOST_TEST((settle(result).verdict == Verdict::regressed));
  BOOST_TEST(asked == 2);
}

BOOST_AUTO_TEST_CASE(a_suspect_that_a_fresh_worker_does_not_confirm_passes_with_the_reason) {
  store::CaseResult result = result_of(kSlow);
  workers = {measured(kAccepted)};
  const core::Judgement judgement = settle(result);
  BOOST_TEST((judgement.verdict == Verdict::pass));
  std::string told = judgement.reason;
  for (const std::string& note : judgement.notes) told += note;
  BOOST_TEST_CONTEXT(told) BOOST_TEST(told.find("confirm") != std::string::npos);
  BOOST_TEST(judgement.measured_ns.value() == kSlow);
  BOOST_TEST(result.attempts.size() == 2U);
}

BOOST_AUTO_TEST_CASE(a_suspect_without_time_for_a_fresh_worker_is_inconclusive) {
  store::CaseResult result = result_of(kSlow);
  const core::Judgement judgement = settle(result);
  BOOST_TEST((judgement.verdict == Verdict::inconclusive));
  BOOST_TEST(judgement.reason.find("no fresh worker could confirm it") != std::string::npos);
  BOOST_TEST(judgement.change_pct.value() > 9);
  BOOST_TEST(result.attempts.size() == 1U);
}

BOOST_AUTO_TEST_CASE(a_confirmation_that_lost_records_is_kept_and_another_one_asked_for) {
  store::CaseResult result = result_of(kSlow);
  workers = {lossy(), measured(kSlow)};
  BOOST_TEST((settle(result).verdict == Verdict::regressed));
  BOOST_REQUIRE(result.attempts.size() == 3U);
  BOOST_TEST((result.attempts[1].status == core::Status::untrusted));
  BOOST_TEST(result.attempts[2].number == 3);
}

BOOST_AUTO_TEST_CASE(a_wrong_result_of_a_confirmation_is_the_outcome) {
  store::CaseResult result = result_of(kSlow);
  core::Attempt wrong = measured(kAccepted);
  wrong.status = core::Status::wrong;
  wrong.error = ErrorKind::wrong_result;
  workers = {wrong, measured(kAccepted)};
  const core::Judgement judgement = settle(result);
  BOOST_TEST((judgement.verdict == Verdict::inconclusive));
  BOOST_TEST(judgement.reason.find("wrong result") != std::string::npos);
  BOOST_TEST(asked == 1);
  BOOST_TEST((run::exit_code_of_attempts(result, core::ExitCode::inconclusive) == core::ExitCode::wrong_result));
}

BOOST_AUTO_TEST_CASE(without_a_wrong_result_the_verdict_decides) {
  store::CaseResult result = result_of(kSlow);
  workers = {lossy(), measured(kSlow)};
  (void)settle(result);
  BOOST_TEST((run::exit_code_of_attempts(result, core::ExitCode::regression) == core::ExitCode::regression));
}

BOOST_AUTO_TEST_CASE(a_library_that_slowed_down_with_the_suspect_leaves_it_open) {
  store::CaseResult result = result_of(kSlow);
  workers = {with_library(kSlow, kLibrary + 1'500)};
  const core::Judgement judgement = settle(result);
  BOOST_TEST((judgement.verdict == Verdict::inconclusive));
  BOOST_TEST(judgement.reason.find("cublas") != std::string::npos, judgement.reason);
  store::CaseResult again = result_of(kSlow);
  workers = {with_library(kSlow, kLibrary)};
  BOOST_TEST((settle(again).verdict == Verdict::regressed));
}

BOOST_AUTO_TEST_CASE(a_waiver_beside_the_baselines_covers_the_case_until_its_day) {
  text::write_file(
      store::waivers_path(path),
      R"({"waivers": [{"case": "add.small.f16", "owner": "Ada", "reason": "known", "expires": "2026-06-01"}]})",
      ErrorKind::io);
  store::CaseResult result = result_of(kSlow);
  workers = {measured(kSlow)};
  const core::Judgement waived = settle(result);
  BOOST_TEST((waived.verdict == Verdict::regressed));
  BOOST_TEST(waived.waiver.value().owner == "Ada");
  today = "2026-06-02";
  store::CaseResult next = result_of(kSlow);
  workers = {measured(kSlow)};
  BOOST_TEST(!settle(next).waiver.has_value());
}

BOOST_AUTO_TEST_CASE(no_more_than_two_confirmations_are_tried) {
  store::CaseResult result = result_of(kSlow);
  workers = {lossy(), lossy(), measured(kSlow)};
  BOOST_TEST((settle(result).verdict == Verdict::inconclusive));
  BOOST_TEST(asked == 2);
  BOOST_TEST(result.attempts.size() == 3U);
}

BOOST_AUTO_TEST_CASE(a_baseline_that_cannot_be_read_is_an_error_that_leaves_the_reading) {
  store::CaseResult result = result_of(kSlow);
  text::write_file(baseline, "{\n  \"device\": 7\n", ErrorKind::io);
  BOOST_CHECK_EXCEPTION((void)settle(result), Error, [](const Error& error) {
    return error.kind() == ErrorKind::baseline && !error.remedy().empty() &&
           error.where().find("add.json") != std::string::npos;
  });
  BOOST_TEST(asked == 0);
  BOOST_TEST(result.attempts.size() == 1U);
}

BOOST_AUTO_TEST_CASE(a_first_attempt_without_a_reading_is_never_judged) {
  store::CaseResult result = result_of(kSlow);
  result.attempts.front() = lossy();
  BOOST_CHECK_THROW((void)settle(result), Error);
}

BOOST_AUTO_TEST_CASE(a_reading_in_doubt_is_measured_again) {
  store::CaseResult result = result_of(kAccepted);
  result.attempts = {throttled()};
  workers = {measured(kAccepted), measured(kSlow)};
  BOOST_TEST((settle(result).verdict == Verdict::pass));
  BOOST_TEST(asked == 1);
  BOOST_TEST(result.attempts.size() == 2U);
}

BOOST_AUTO_TEST_CASE(doubt_ends_when_no_worker_is_left) {
  store::CaseResult result = result_of(kAccepted);
  result.attempts = {throttled()};
  workers = {throttled(), throttled(), measured(kAccepted)};
  BOOST_TEST((settle(result).verdict == Verdict::inconclusive));
  BOOST_TEST(asked == 2);
  result.attempts = {throttled()};
  workers.clear();
  BOOST_TEST((settle(result).verdict == Verdict::inconclusive));
  BOOST_TEST(asked == 3);
}

BOOST_AUTO_TEST_CASE(a_slow_reading_in_place_of_one_in_doubt_needs_a_worker_that_confirms_it) {
  store::CaseResult result = result_of(kAccepted);
  result.attempts = {throttled()};
  workers = {measured(kSlow), measured(kSlow)};
  BOOST_TEST((settle(result).verdict == Verdict::regressed));
  BOOST_TEST(asked == 2);
  result.attempts = {throttled()};
  workers = {measured(kSlow)};
  const core::Judgement alone = settle(result);
  BOOST_TEST((alone.verdict == Verdict::inconclusive));
  BOOST_TEST(alone.reason.find("no fresh worker could confirm it") != std::string::npos, alone.reason);
}

BOOST_AUTO_TEST_SUITE_END()
