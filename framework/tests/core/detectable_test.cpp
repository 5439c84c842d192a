#include <boost/test/unit_test.hpp>
#include <cmath>
#include <functional>
#include <random>

#include "run_builder.hpp"

using namespace opgate;
using namespace opgate::core;

// What detectable_pct promises, by simulation: that slowdown is caught in most draws of baseline, run and
// confirmation, and twice that slowdown always.
BOOST_AUTO_TEST_SUITE(detectable)

namespace {

constexpr int kRounds = 300;

struct Counts {
  int stated = 0;
  int twice = 0;
};

using Reading = std::function<CaseRun(double slowdown)>;

Counts count(const Reading& reading, int runs) {
  Counts counts;
  for (int round = 0; round < kRounds; ++round) {
    std::vector<CaseRun> accepted;
    for (int i = 0; i < runs; ++i) {
      accepted.push_back(reading(1));
    }
    const CaseBaseline baseline = summarise(accepted);
    const double stated = judged(baseline, reading(1)).detectable_pct.value() / 100;
    const auto caught = [&](double slowdown) {
      return judged(baseline, reading(slowdown), reading(slowdown)).verdict == Verdict::regressed ? 1 : 0;
    };
    counts.stated += caught(1 + stated);
    counts.twice += caught(1 + 2 * stated);
  }
  return counts;
}

void check(const char* what, const Reading& reading) {
  for (const int runs : {5, 10}) {
    const Counts counts = count(reading, runs);
    BOOST_TEST_CONTEXT(what << ", " << runs << " runs: stated " << counts.stated << ", twice " << counts.twice) {
      BOOST_TEST(counts.stated >= kRounds * 85 / 100);
      BOOST_TEST(counts.twice >= kRounds * 99 / 100);
    }
  }
}

// A run as a whole is off by `between`, each sample by `within`; the timer rounds to its tick and is off by 1 ns at
// times (1535, 1536, 1537), as recorded.
CaseRun recorded(std::mt19937& dice, double busy_ns, double between, double within) {
  std::normal_distribution<double> noise(0, 1);
  std::uniform_int_distribution<int> rounding(-1, 1);
  std::uniform_real_distribution<double> phase(0, 32);
  CaseRun run = run_of(0);
  const double centre = busy_ns * (1 + between * noise(dice));
  for (Sample& sample : run.samples) {
    const double exact = centre * (1 + within * noise(dice)) + phase(dice);
    sample.busy_ns = static_cast<std::int64_t>(std::floor(exact / 32)) * 32 + rounding(dice);
  }
  return run;
}

}  // namespace

BOOST_AUTO_TEST_CASE(it_holds_with_normal_noise) {
  std::mt19937 dice(11);
  for (const double spread : {0.0005, 0.002, 0.004, 0.01}) {
    std::normal_distribution<double> noise(0, spread);
    check("normal noise",
          [&](double slowdown) { return run_of(std::llround(1'000'000 * slowdown * (1 + noise(dice)))); });
  }
}

BOOST_AUTO_TEST_CASE(it_holds_on_the_grid_of_the_timer) {
  std::mt19937 dice(12);
  for (const double busy_ns : {1'500.0, 4'000.0, 9'000.0, 20'000.0, 65'000.0}) {
    check("ticks", [&](double slowdown) { return recorded(dice, busy_ns * slowdown, 0.002, 0.01); });
  }
}

BOOST_AUTO_TEST_CASE(it_holds_where_runs_have_two_modes) {
  std::mt19937 dice(13);
  std::bernoulli_distribution low(0.3);
  check("two modes",
        [&](double slowdown) { return recorded(dice, 64'800 * slowdown * (low(dice) ? 0.993 : 1), 0.0008, 0.01); });
}

BOOST_AUTO_TEST_CASE(it_holds_where_some_runs_are_far_slower) {
  std::mt19937 dice(14);
  std::bernoulli_distribution far(0.07);
  check("outliers",
        [&](double slowdown) { return recorded(dice, 200'000 * slowdown * (far(dice) ? 1.035 : 1), 0.003, 0.01); });
}

BOOST_AUTO_TEST_CASE(it_holds_where_the_clock_corrected_time_decides) {
  std::mt19937 dice(15);
  std::uniform_int_distribution<int> clock(1530, 1980);
  std::normal_distribution<double> noise(0, 0.003);
  check("a clock that wanders", [&](double slowdown) {
    const int mhz = clock(dice);
    return run_of(std::llround(1'400'000 * slowdown * (1 + noise(dice)) * 1980 / mhz), mhz);
  });
}

BOOST_AUTO_TEST_SUITE_END()
