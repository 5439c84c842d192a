#include "core/series.hpp"

#include <boost/test/unit_test.hpp>
#include <functional>

#include "run_builder.hpp"

using namespace opgate::core;

namespace {

SeriesReading reading(std::size_t row, double time_ns) {
  SeriesReading one;
  one.identity = gemm_identity();
  one.conditions = usual_conditions();
  one.unit = "GPU-a";
  one.tick_ns = 32;
  one.max_sm_mhz = 2000;
  one.time_ns = time_ns;
  one.row = row;
  return one;
}

std::vector<Series> with_one_changed(const std::function<void(SeriesReading&)>& change) {
  std::vector<SeriesReading> readings;
  for (std::size_t row = 0; row < 4; ++row) readings.push_back(reading(row, 100'000));
  change(readings[1]);
  return comparable_series(readings);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(series)

BOOST_AUTO_TEST_CASE(readings_of_other_conditions_are_another_series) {
  const std::vector<std::pair<const char*, std::function<void(SeriesReading&)>>> changes{
      {"unit", [](SeriesReading& r) { r.unit = "GPU-b"; }},
      {"model", [](SeriesReading& r) { r.conditions.device_name = "NVIDIA H100"; }},
      {"driver", [](SeriesReading& r) { r.conditions.driver_branch = "570"; }},
      {"CUDA", [](SeriesReading& r) { r.conditions.cuda = "12.8"; }},
      {"protocol", [](SeriesReading& r) { r.conditions.protocol = "method-1"; }},
      {"timing", [](SeriesReading& r) { r.conditions.timing = "cuda-events"; }},
      {"flush", [](SeriesReading& r) { r.conditions.flush = "memset"; }},
      {"launch", [](SeriesReading& r) { r.conditions.launch = "queued"; }},
      {"pacing", [](SeriesReading& r) { r.conditions.pacing = "1"; }},
      {"group", [](SeriesReading& r) { r.group = "2 kernels"; }},
      {"replayed", [](SeriesReading& r) { r.replayed = true; }},
      {"dimensions", [](SeriesReading& r) { r.identity.dimensions["m"] = 128; }},
      {"dtype", [](SeriesReading& r) { r.identity.dtype = "f16"; }},
      {"params", [](SeriesReading& r) { r.identity.params["alpha"] = 2; }},
      {"generator", [](SeriesReading& r) { r.identity.generator = "other"; }},
      {"copies", [](SeriesReading& r) { r.identity.copies = "count"; }},
  };
  for (const auto& [what, change] : changes) {
    BOOST_TEST_CONTEXT(what) {
      const auto all = with_one_changed(change);
      BOOST_REQUIRE(all.size() == 2U);
      BOOST_TEST(all[0].rows == (std::vector<std::size_t>{0, 2, 3}), boost::test_tools::per_element());
      BOOST_TEST(all[1].rows == (std::vector<std::size_t>{1}), boost::test_tools::per_element());
    }
  }
}

BOOST_AUTO_TEST_CASE(work_counted_differently_at_equal_dimensions_is_the_same_series) {
  BOOST_TEST(with_one_changed([](SeriesReading& r) { r.identity.flops = 7; }).size() == 1U);
  const auto imported = with_one_changed([](SeriesReading& r) { r.identity.dimensions.clear(); });
  BOOST_TEST(imported.size() == 2U);
}

BOOST_AUTO_TEST_CASE(the_series_of_the_newest_reading_comes_first) {
  std::vector<SeriesReading> readings{reading(0, 1), reading(1, 2), reading(2, 3)};
  readings[2].unit = "GPU-b";
  const auto all = comparable_series(readings);
  BOOST_REQUIRE(all.size() == 2U);
  BOOST_TEST(all[0].newest.unit == "GPU-b");
  BOOST_TEST(all[1].newest.row == 1U);
  BOOST_TEST(comparable_series({}).empty());
}

BOOST_AUTO_TEST_CASE(a_change_is_found_within_a_series_and_not_between_two) {
  std::vector<SeriesReading> readings;
  for (std::size_t row = 0; row < 40; ++row) {
    readings.push_back(reading(row, row % 2 == 0 ? 100'000 : row < 20 ? 200'000 : 210'000));
    if (row % 2 == 1) readings.back().unit = "GPU-b";
  }
  const auto all = comparable_series(readings);
  BOOST_REQUIRE(all.size() == 2U);
  BOOST_REQUIRE(all[0].changes.size() == 1U);
  BOOST_TEST(all[0].changes[0].index == 10U);
  BOOST_TEST(all[0].rows[10] == 21U);
  BOOST_TEST(all[1].changes.empty());
}

BOOST_AUTO_TEST_CASE(the_clock_is_taken_out_where_it_explains_the_scatter) {
  std::vector<SeriesReading> readings;
  const auto fill = [&](double cycles_scatter) {
    readings.clear();
    for (std::size_t row = 0; row < 30; ++row) {
      const double mhz = row % 2 == 0 ? 1800 : 2000;
      readings.push_back(reading(row, 0));
      readings.back().cycles = 200'000 * (row % 3 == 0 ? 1 + cycles_scatter : 1);
      readings.back().time_ns = *readings.back().cycles * 1000 / mhz;
    }
  };
  fill(0);
  BOOST_TEST((comparable_series(readings)[0].metric == Metric::cycles));
  BOOST_TEST(comparable_series(readings)[0].values_ns[0] == 100'000.0);
  readings[4].cycles.reset();
  BOOST_TEST((comparable_series(readings)[0].metric == Metric::time));
  fill(0.3);
  BOOST_TEST((comparable_series(readings)[0].metric == Metric::time));
}

BOOST_AUTO_TEST_CASE(the_timers_tick_bounds_what_counts_as_a_change) {
  std::vector<SeriesReading> readings;
  for (std::size_t row = 0; row < 40; ++row) readings.push_back(reading(row, row < 20 ? 1000 : 1020));
  BOOST_TEST(comparable_series(readings)[0].changes.empty());
  for (SeriesReading& one : readings) one.tick_ns = 1;
  BOOST_TEST(comparable_series(readings)[0].changes.size() == 1U);
}

BOOST_AUTO_TEST_CASE(a_step_of_the_level_is_no_scatter) {
  BOOST_TEST(relative_step(std::vector<double>{100, 100, 100, 110, 110, 110}) == 0.0);
  BOOST_TEST(relative_step(std::vector<double>{99, 101, 99, 101, 99}) == 2.0 / 99);
  BOOST_TEST(relative_step(std::vector<double>{5}) == 0.0);
}

BOOST_AUTO_TEST_SUITE_END()
