#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <random>
#include <vector>

#include "core/intervals.hpp"

using namespace opgate::core;

BOOST_AUTO_TEST_SUITE(intervals)

namespace {
Extent extent_of(std::vector<Interval> intervals) {
  return measure_union(intervals);
}
}  // namespace

BOOST_AUTO_TEST_CASE(gaps_are_left_out_of_the_union_and_kept_in_the_span) {
  const Extent extent = extent_of({{4000, 6000}, {9000, 10000}});
  BOOST_TEST(extent.busy_ns == 3000);
  BOOST_TEST(extent.span_ns == 6000);
  BOOST_TEST(extent.gap_ns() == 3000);
}

BOOST_AUTO_TEST_CASE(order_does_not_matter) {
  BOOST_TEST((extent_of({{9, 10}, {1, 5}, {4, 6}}) == extent_of({{1, 5}, {4, 6}, {9, 10}})));
  BOOST_TEST((extent_of({{9, 10}, {1, 5}, {4, 6}}) == Extent{6, 9, 7}));
}

BOOST_AUTO_TEST_CASE(contained_touching_equal_and_empty_intervals) {
  BOOST_TEST((extent_of({{1, 9}, {2, 3}}) == Extent{8, 8, 9}));
  BOOST_TEST((extent_of({{1, 5}, {5, 9}}) == Extent{8, 8, 8}));
  BOOST_TEST((extent_of({{1, 5}, {1, 5}}) == Extent{4, 4, 8}));
  BOOST_TEST((extent_of({{5, 5}}) == Extent{0, 0, 0}));
  BOOST_TEST((extent_of({{1, 5}, {7, 7}}) == Extent{4, 6, 4}));
  BOOST_TEST((extent_of({}) == Extent{0, 0, 0}));
}

BOOST_AUTO_TEST_CASE(agrees_with_counting_every_nanosecond) {
  std::mt19937 dice(3);
  for (int round = 0; round < 200; ++round) {
    std::vector<Interval> intervals;
    std::vector<bool> covered(100, false);
    std::int64_t first = 100;
    std::int64_t last = 0;
    std::int64_t sum = 0;
    for (unsigned i = 0; i < 1 + dice() % 8; ++i) {
      const std::int64_t start = static_cast<std::int64_t>(dice() % 90);
      const std::int64_t end = start + static_cast<std::int64_t>(dice() % 10);
      intervals.push_back({start, end});
      first = std::min(first, start);
      last = std::max(last, end);
      sum += end - start;
      for (std::int64_t t = start; t < end; ++t) {
        covered[static_cast<std::size_t>(t)] = true;
      }
    }
    const Extent extent = measure_union(intervals);
    BOOST_TEST(extent.busy_ns == std::count(covered.begin(), covered.end(), true));
    BOOST_TEST(extent.span_ns == last - first);
    BOOST_TEST(extent.work_ns == sum);
  }
}

BOOST_AUTO_TEST_SUITE_END()
