#include "store/prune.hpp"

#include <fmt/format.h>

#include <boost/test/unit_test.hpp>

#include "core/readings.hpp"
#include "store/fixtures.hpp"
#include "store/history.hpp"
#include "store/other_history.hpp"

namespace opgate::store::test {
namespace {

constexpr std::int64_t kDayMs = 86'400'000;
constexpr std::int64_t kNow = 1'760'000'000'000;

struct Fixture {
  TemporaryFolder folder;
  std::filesystem::path path = folder / "history.sqlite";

  // Runs 1 .. count, a day apart, the newest a day before now.
  void make_runs(int count) const {
    History history = History::open_for_writing(path);
    for (int i = 1; i <= count; ++i) {
      RunInfo run = some_run(uuid(i));
      run.started_unix_ms = kNow - (count - i + 1) * kDayMs;
      run.closed_unix_ms = run.started_unix_ms + 1000;
      const auto id = history.open_run(run);
      history.put_result(id, full_result());
      history.put_result(id, small_result("small", 1000 + i));
    }
  }
  static std::string uuid(int i) { return fmt::format("6b1f0c1e-0000-4000-8000-{:012}", i); }

  [[nodiscard]] Pruned prune(PruneRequest request) const {
    request.now_unix_ms = kNow;
    return store::prune(path, request);
  }
  [[nodiscard]] std::vector<CaseResult> results() const { return History::open_for_reading(path).results({}); }
  [[nodiscard]] std::vector<std::int64_t> runs_with_samples() const {
    std::vector<std::int64_t> runs;
    for (const CaseResult& result : results()) {
      if (result.identity.name == "small" && !result.attempts.at(0).implementations.at(0).measurement.samples.empty()) {
        runs.push_back(result.run_id);
      }
    }
    return runs;
  }
  [[nodiscard]] std::vector<std::int64_t> runs() const {
    std::vector<std::int64_t> ids;
    for (const RunInfo& run : History::open_for_reading(path).runs()) ids.push_back(run.id);
    return ids;
  }
};

using Ids = std::vector<std::int64_t>;

// All but the samples, and the figures that come from them.
CaseResult without_samples(CaseResult result) {
  for (core::Attempt& attempt : result.attempts) {
    for (core::ImplementationResult& one : attempt.implementations) {
      one.measurement.samples.clear();
      one.kept.reset();
    }
  }
  return result;
}

}  // namespace

BOOST_FIXTURE_TEST_SUITE(prune, Fixture)

BOOST_AUTO_TEST_CASE(samples_of_older_runs_go_and_everything_else_stays) {
  make_runs(5);
  const auto before = results();
  const Pruned done = prune({.keep_samples = Age{.runs = 2, .days = {}}});
  BOOST_TEST(done.sample_runs == 3);
  BOOST_TEST(done.runs == 0);
  BOOST_TEST(done.sample_bytes > 0);
  BOOST_TEST(runs_with_samples() == (Ids{5, 4}), boost::test_tools::per_element());
  const auto after = results();
  BOOST_REQUIRE_EQUAL(after.size(), before.size());
  for (std::size_t i = 0; i < after.size(); ++i) {
    BOOST_TEST((without_samples(after[i]) == without_samples(before[i])));
    BOOST_TEST(same_content(after[i], before[i]));  // so that importing it again names no conflict
  }
}

BOOST_AUTO_TEST_CASE(a_pruned_result_is_judged_by_the_figures_it_had) {
  make_runs(3);
  const auto reading = [&] {
    std::vector<std::optional<core::RunReading>> all;
    for (const CaseResult& result : results()) {
      for (const core::Attempt& attempt : result.attempts) {
        const auto run = case_run(result, attempt);
        all.push_back(run ? core::read_run(*run) : std::nullopt);
      }
    }
    return all;
  };
  const auto before = reading();
  static_cast<void>(prune({.keep_samples = Age{.runs = 1, .days = {}}}));
  const auto after = reading();
  BOOST_REQUIRE_EQUAL(after.size(), before.size());
  int compared = 0;
  for (std::size_t i = 0; i < after.size(); ++i) {
    BOOST_REQUIRE(after[i].has_value() == before[i].has_value());
    if (!after[i]) continue;
    ++compared;
    // Of a call that varies the pooled median is never compared.
    if (before[i]->groups.size() == 1) BOOST_TEST((after[i]->pooled == before[i]->pooled));
    BOOST_TEST((after[i]->groups == before[i]->groups));
  }
  BOOST_TEST(compared >= 3);
}

BOOST_AUTO_TEST_CASE(figures_of_pruned_samples_move_to_another_history) {
  make_runs(2);
  static_cast<void>(prune({.keep_samples = Age{.runs = 1, .days = {}}}));
  History other = History::open_for_writing(folder / "other.sqlite");
  const auto run = other.open_run(some_run());
  int kept = 0;
  for (const CaseResult& result : results()) {
    if (result.run_id != 1) continue;
    other.put_result(run, result);
    const CaseResult back = other.results({.run_id = run, .case_name = result.identity.name}).at(0);
    BOOST_TEST(same_content(back, result));
    for (const core::ImplementationResult& one : back.attempts.at(0).implementations) {
      kept += one.kept && !one.kept->groups.empty() ? 1 : 0;
    }
  }
  BOOST_TEST(kept == 3);  // two implementations of one, one of the other
}

BOOST_AUTO_TEST_CASE(a_history_without_runs_has_nothing_to_lose) {
  static_cast<void>(History::open_for_writing(path));
  const Pruned done = prune({.keep_samples = Age{.runs = 1, .days = {}}, .keep_runs = Age{.runs = 1, .days = {}}});
  BOOST_TEST(done.runs == 0);
  BOOST_TEST(done.sample_runs == 0);
}

BOOST_AUTO_TEST_CASE(groups_of_a_call_that_varies_outlive_its_samples) {
  CaseResult mixed = small_result("mixed", 1000);
  core::ImplementationResult& ours = mixed.attempts.at(0).implementations.at(0);
  ours.kernel_groups = {"1 x a", "2 x b"};
  ours.measurement.samples.clear();
  for (int i = 0; i < 40; ++i) {
    Sample sample;
    sample.busy_ns = sample.latency_ns = i % 4 == 0 ? 5000 + i : 1000 + i;
    sample.group = i % 4 == 0 ? 1 : 0;
    sample.n_kernels = 1;
    ours.measurement.samples.push_back(sample);
  }
  {
    History history = History::open_for_writing(path);
    history.put_result(history.open_run(some_run(uuid(1))), mixed);
    RunInfo newer = some_run(uuid(2));
    newer.closed_unix_ms = newer.started_unix_ms;
    history.put_result(history.open_run(newer), small_result("small", 1));
    history.close_run(1, 1);
  }
  const auto groups = [&] {
    const auto rows = History::open_for_reading(path).series("mixed");
    return rows.at(0).reading.value().groups;
  };
  const auto before = groups();
  BOOST_REQUIRE_EQUAL(before.size(), 2U);
  BOOST_TEST(prune({.keep_samples = Age{.runs = 1, .days = {}}}).sample_sets > 0);
  BOOST_TEST((groups() == before));
}

BOOST_AUTO_TEST_CASE(whole_runs_go_but_for_those_that_a_baseline_rests_on) {
  make_runs(6);
  const Pruned done = prune({.keep_runs = Age{.runs = 2, .days = {}}, .baseline_runs = {uuid(1), uuid(3), uuid(6)}});
  BOOST_TEST(runs() == (Ids{6, 5, 3, 1}), boost::test_tools::per_element());
  BOOST_TEST(done.runs == 2);
  BOOST_TEST(done.results == 4);
  BOOST_TEST(done.kept_for_baselines == 2);
  BOOST_TEST(results().size() == 8U);
  BOOST_TEST(runs_with_samples().size() == 4U);
}

BOOST_AUTO_TEST_CASE(days_count_from_the_newest_run) {
  make_runs(6);
  static_cast<void>(prune({.keep_runs = Age{.runs = 0, .days = 2}}));
  BOOST_TEST(runs() == (Ids{6, 5, 4}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_run_from_the_future_makes_no_other_one_old) {
  make_runs(3);
  {
    History history = History::open_for_writing(path);
    RunInfo run = some_run(uuid(9));
    run.started_unix_ms = kNow + 400 * kDayMs;
    run.closed_unix_ms = run.started_unix_ms;
    static_cast<void>(history.open_run(run));
  }
  static_cast<void>(prune({.keep_runs = Age{.runs = 0, .days = 10}}));
  BOOST_TEST(runs().size() == 4U);
}

// By number the run that a clock set back made is the newest.
BOOST_AUTO_TEST_CASE(a_clock_that_went_back_makes_the_newest_run_no_older) {
  make_runs(3);
  {
    History history = History::open_for_writing(path);
    RunInfo run = some_run(uuid(9));
    run.started_unix_ms = kNow - 900 * kDayMs;
    run.closed_unix_ms = run.started_unix_ms;
    history.put_result(history.open_run(run), small_result("small", 1));
  }
  static_cast<void>(prune({.keep_runs = Age{.runs = 1, .days = {}}}));
  BOOST_TEST(runs() == (Ids{4}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_run_that_may_still_be_written_stays) {
  make_runs(3);
  {
    History history = History::open_for_writing(path);
    for (const auto& [number, age] : {std::pair{7, std::int64_t{1000}}, {8, 3 * kDayMs}}) {
      RunInfo run = some_run(uuid(number));
      run.started_unix_ms = kNow - age;
      run.closed_unix_ms.reset();
      static_cast<void>(history.open_run(run));
    }
    RunInfo newest = some_run(uuid(9));
    newest.closed_unix_ms = newest.started_unix_ms = kNow;
    static_cast<void>(history.open_run(newest));
  }
  const Pruned done = prune({.keep_runs = Age{.runs = 1, .days = {}}});
  BOOST_TEST(runs() == (Ids{6, 4}), boost::test_tools::per_element());
  BOOST_TEST(done.kept_open == 1);
}

BOOST_AUTO_TEST_CASE(a_dry_run_says_the_same_and_changes_nothing) {
  make_runs(5);
  PruneRequest request{.keep_samples = Age{.runs = 3, .days = {}}, .keep_runs = Age{.runs = 4, .days = {}}};
  request.dry_run = true;
  const std::string before = bytes_of(path);
  const Pruned would = prune(request);
  BOOST_TEST((bytes_of(path) == before));
  request.dry_run = false;
  const Pruned did = prune(request);
  BOOST_TEST(would.runs == 1);
  BOOST_TEST(would.runs == did.runs);
  BOOST_TEST(would.results == did.results);
  BOOST_TEST(would.sample_runs == did.sample_runs);
  BOOST_TEST(would.sample_sets == did.sample_sets);
  BOOST_TEST(would.sample_bytes == did.sample_bytes);
  const Pruned again = prune(request);
  BOOST_TEST(again.runs + again.sample_sets == 0);
}

BOOST_AUTO_TEST_CASE(vacuum_gives_the_space_back) {
  make_runs(3);
  {
    History history = History::open_for_writing(path);
    CaseResult large = small_result("large", 1);
    auto& samples = large.attempts.at(0).implementations.at(0).measurement.samples;
    std::uint64_t state = 1;
    for (int i = 0; i < 50'000; ++i) {
      state = state * 6364136223846793005U + 1442695040888963407U;
      Sample sample;
      sample.busy_ns = static_cast<std::int64_t>(state >> 34U) + 1;
      samples.push_back(sample);
    }
    history.put_result(1, large);
  }
  const auto size = std::filesystem::file_size(path);
  const Pruned kept = prune({.keep_samples = Age{.runs = 1, .days = {}}});
  BOOST_TEST(kept.free_bytes > 50'000);
  const Pruned given = prune({.keep_samples = {}, .vacuum = true});
  BOOST_TEST(given.free_bytes == 0);
  BOOST_TEST(std::filesystem::file_size(path) < size);
  BOOST_TEST(results().size() == 7U);
}

// Writers in other processes meanwhile: none fails, none of their results is lost.
BOOST_AUTO_TEST_CASE(it_does_not_disturb_writers) {
  make_runs(9);
  std::vector<pid_t> children;
  for (int writer = 0; writer < 4; ++writer) {
    const pid_t child = ::fork();
    if (child == 0) {
      int code = 1;
      try {
        History history = History::open_for_writing(path);
        RunInfo run = some_run("");
        run.started_unix_ms = kNow;
        const auto id = history.open_run(run);
        for (int i = 0; i < 20; ++i) history.put_result(id, small_result(fmt::format("w{}", i), 1000));
        code = 0;
      } catch (...) {
      }
      ::_exit(code);
    }
    children.push_back(child);
  }
  for (int i = 0; i < 5; ++i) static_cast<void>(prune({.keep_samples = Age{.runs = 1, .days = {}}}));
  static_cast<void>(prune({.keep_runs = Age{.runs = 1, .days = {}}}));
  int failed = 0;
  for (const pid_t child : children) {
    int status = 0;
    ::waitpid(child, &status, 0);
    failed += status == 0 ? 0 : 1;
  }
  BOOST_TEST(failed == 0);
  std::size_t written = 0;
  for (const CaseResult& result : results()) {
    if (result.identity.name.starts_with('w')) written += result.attempts.at(0).implementations.size() == 1 ? 1U : 0U;
  }
  BOOST_TEST(written == 80U);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace opgate::store::test
