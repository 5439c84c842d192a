#include <boost/test/unit_test.hpp>
#include <cmath>
#include <vector>

#include "core/statistics.hpp"
#include "opgate/bench.hpp"

using namespace opgate;
using namespace opgate::core;

BOOST_AUTO_TEST_SUITE(statistics)

namespace {

using Integers = std::vector<std::int64_t>;

bool is_attribution(const Error& error) {
  return error.kind() == ErrorKind::attribution;
}

Integers up_to(std::int64_t count) {
  Integers values;
  for (std::int64_t i = 0; i < count; ++i) {
    values.push_back(10 * i);
  }
  return values;
}

}  // namespace

BOOST_AUTO_TEST_CASE(median_averages_the_middle_two_of_an_even_count) {
  BOOST_TEST(median(Integers{3, 1, 2}) == 2.0);
  BOOST_TEST(median(Integers{4, 1, 3, 2}) == 2.5);
  BOOST_TEST(median(Integers{7}) == 7.0);
  BOOST_TEST(median(std::vector<double>{4, 1, 3, 2}) == 2.5);
  BOOST_TEST(median(std::vector<double>{0.3, 0.1, 0.2}) == 0.2);
}

BOOST_AUTO_TEST_CASE(a_median_within_a_step_tells_how_the_samples_share_two_ticks) {
  const auto of = [](int on_low, int on_high) {
    Integers values(static_cast<std::size_t>(on_low), 1504);
    values.insert(values.end(), static_cast<std::size_t>(on_high), 1536);
    return median_within_step(values, 32);
  };
  BOOST_TEST(of(100, 100) == 1520.0);  // half on each: between the two
  BOOST_TEST(of(200, 0) == 1504.0);    // all on one tick: its middle
  BOOST_TEST(of(0, 200) == 1536.0);
  BOOST_TEST(of(150, 50) == 1488 + 32 * 100 / 150.0);
  BOOST_TEST(of(50, 150) == 1520 + 32 * 50 / 150.0);
  for (int high = 1; high < 200; ++high) BOOST_TEST(of(200 - high, high) > of(201 - high, high - 1));
}

BOOST_AUTO_TEST_CASE(a_median_within_a_step_does_not_mind_a_timer_that_is_off_its_grid_by_a_nanosecond) {
  const Integers on{1504, 1504, 1504, 1504, 1536, 1536, 1568};
  const Integers off{1503, 1504, 1505, 1504, 1536, 1537, 1568};
  BOOST_TEST(std::abs(median_within_step(on, 32) - median_within_step(off, 32)) <= 1.0);
}

BOOST_AUTO_TEST_CASE(a_median_within_a_step_is_the_plain_one_where_there_is_no_step) {
  BOOST_TEST(median_within_step(Integers{3, 1, 2}, 0) == 2.0);
  BOOST_TEST(median_within_step(Integers{3, 1, 2}, 1) == 2.0);
  BOOST_TEST(median_within_step(Integers{10, 10, 11}, 1) == 10.0);
  BOOST_TEST(median_within_step(Integers{10, 10, 12}, 2) == 10.5);
  BOOST_TEST(median_within_step(Integers{4703, 4703, 9376, 9376}, 32) == 7039.5);  // two modes, nothing in the middle
  BOOST_TEST(median_within_step(Integers{5000}, 32) == 5000.0);
  BOOST_CHECK_EXCEPTION((void)median_within_step(Integers{}, 32), Error, is_attribution);
}

BOOST_AUTO_TEST_CASE(a_step_begins_half_of_it_below_the_middle_and_ends_before_the_next) {
  BOOST_TEST(median_within_step(Integers{84, 100, 100}, 32) == 100.0);
  BOOST_TEST(median_within_step(Integers{100, 100, 116}, 32) == 108.0);
}

BOOST_AUTO_TEST_CASE(no_samples_is_an_error) {
  BOOST_CHECK_EXCEPTION((void)median(Integers{}), Error, is_attribution);
  BOOST_CHECK_EXCEPTION((void)median(std::vector<double>{}), Error, is_attribution);
  BOOST_CHECK_EXCEPTION((void)quantile(Integers{}, 0.1), Error, is_attribution);
  BOOST_CHECK_EXCEPTION((void)trimmed_mean(Integers{}, 0.1), Error, is_attribution);
  BOOST_CHECK_EXCEPTION((void)Measurement{}.median_busy_ns(), Error, is_attribution);
}

BOOST_AUTO_TEST_CASE(a_measurement_gives_the_median_of_its_busy_times) {
  Measurement measurement;
  for (const std::int64_t busy_ns : {10, 30, 20, 40}) {
    measurement.samples.emplace_back().busy_ns = busy_ns;
  }
  BOOST_TEST(measurement.median_busy_ns() == 25.0);
}

BOOST_AUTO_TEST_CASE(quantiles_take_the_nearest_rank_and_halves_go_to_the_even_one) {
  BOOST_TEST(quantile(up_to(11), 0.1).value() == 10.0);
  BOOST_TEST(quantile(up_to(11), 0.9).value() == 90.0);
  BOOST_TEST(quantile(up_to(6), 0.1).value() == 0.0);    // rank 0.5 -> 0
  BOOST_TEST(quantile(up_to(16), 0.1).value() == 20.0);  // rank 1.5 -> 2
  BOOST_TEST(quantile(up_to(26), 0.1).value() == 20.0);  // rank 2.5 -> 2
  BOOST_TEST(quantile(up_to(6), 0.9).value() == 40.0);   // rank 4.5 -> 4
  BOOST_TEST(quantile(up_to(3), 0.9).value() == 20.0);   // rank 1.8 -> 2
  BOOST_TEST(quantile(up_to(4), 0.6).value() == 20.0);   // rank 1.8 -> 2
  BOOST_TEST(quantile(up_to(4), -0.5).value() == 0.0);
  BOOST_TEST(quantile(up_to(4), 1.5).value() == 30.0);
  BOOST_TEST(!quantile(Integers{5}, 0.1).has_value());
}

BOOST_AUTO_TEST_CASE(trimmed_mean_drops_both_ends) {
  BOOST_TEST(trimmed_mean(Integers{100, 1, 2, 3, 4, 5, 6, 7, 8, 0}, 0.1) == 4.5);
  BOOST_TEST(trimmed_mean(Integers{1, 2, 6}, 0) == 3.0);
  BOOST_TEST(trimmed_mean(Integers{1, 2, 6}, 0.9) == 2.0);
  BOOST_TEST(trimmed_mean(Integers{1, 2, 4, 9}, 0.9) == 3.0);
  BOOST_TEST(trimmed_mean(Integers{1, 2, 4, 9}, -0.9) == 4.0);
}

BOOST_AUTO_TEST_CASE(standard_deviation_is_the_samples) {
  BOOST_TEST(sample_standard_deviation(std::vector<double>{2, 4}).value() == std::sqrt(2.0));
  BOOST_TEST(sample_standard_deviation(std::vector<double>{5, 5, 5}).value() == 0.0);
  BOOST_TEST(!sample_standard_deviation(std::vector<double>{5}).has_value());
}

BOOST_AUTO_TEST_CASE(iteration_counts_are_clamped) {
  BOOST_TEST(iterations_for(100'000'000, 1, 10, 200) == 200);
  BOOST_TEST(iterations_for(100'000'000, 0, 10, 200) == 200);
  BOOST_TEST(iterations_for(100'000'000, 1e-300, 10, 200) == 200);
  BOOST_TEST(iterations_for(100'000'000, -0.5, 10, 200) == 200);
  BOOST_TEST(iterations_for(10, 0.5, 10, 200) == 20);
  BOOST_TEST(iterations_for(100'000'000, 1e12, 10, 200) == 10);
  BOOST_TEST(iterations_for(100'000'000, 2'000'000, 10, 200) == 50);
  BOOST_TEST(iterations_for(100'000'000, 1'504'000, 10, 200) == 66);  // 66.49
}

BOOST_AUTO_TEST_CASE(rates_divide_by_busy_time) {
  BOOST_TEST(tflops(2.0 * 4096 * 4096 * 4096, 172'000) == 799.06, boost::test_tools::tolerance(1e-4));
  BOOST_TEST(bandwidth_tbs(2 * 128e6, 64'000) == 4.0, boost::test_tools::tolerance(1e-12));
  BOOST_TEST(tflops(2e15, 1e6) == 2e6);
  BOOST_TEST(tflops(1e3, 0.5) == 2, boost::test_tools::tolerance(1e-12));
  BOOST_CHECK_EXCEPTION((void)tflops(1, 0), Error, [](const Error& e) { return e.kind() == ErrorKind::impossible; });
  BOOST_CHECK_EXCEPTION((void)bandwidth_tbs(1, -1), Error,
                        [](const Error& e) { return e.kind() == ErrorKind::impossible; });
}

BOOST_AUTO_TEST_SUITE_END()
