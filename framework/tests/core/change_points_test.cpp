#include "core/change_points.hpp"

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "core/energy_split.hpp"
#include "core/level_test.hpp"

using namespace opgate::core;

namespace {

using Indices = std::vector<std::size_t>;

Indices indices(const std::vector<ChangePoint>& points) {
  Indices found;
  for (const ChangePoint& point : points) {
    found.push_back(point.index);
  }
  return found;
}

// `count` values around `level`, the same scatter each time: no random numbers, no luck.
void add_level(std::vector<double>& values, std::size_t count, double level, double scatter) {
  static constexpr double kScatter[] = {0.3, -1, 0.7, -0.2, 1, -0.6, 0.1, -0.8, 0.5};
  for (std::size_t i = 0; i < count; ++i) {
    values.push_back(level + scatter * kScatter[values.size() % std::size(kScatter)]);
  }
}

std::vector<double> levels(std::initializer_list<double> all, std::size_t count = 20, double scatter = 0.2) {
  std::vector<double> values;
  for (const double level : all) {
    add_level(values, count, level, scatter);
  }
  return values;
}

const std::vector<double>& tigerbeetle() {
  static const std::vector<double> series = [] {
    std::ifstream file(std::string(OPGATE_TEST_DATA) + "/change_points/tigerbeetle.txt");
    std::vector<double> values;
    for (double value = 0; file >> value;) {
      values.push_back(value);
    }
    return values;
  }();
  return series;
}

Indices in_tigerbeetle(double max_p_value, double min_change, bool as_otava) {
  ChangePointOptions options{.window = 30, .max_p_value = max_p_value, .min_change = min_change, .min_runs = 1};
  options.as_otava = as_otava;
  return indices(find_change_points(tigerbeetle(), options));
}

struct Published {
  double max_p_value;
  double min_change;
  Indices expected;
};

// tests/tigerbeetle_test.py of Apache Otava, all of it; data/change_points/README.md has the source.
const std::vector<Published> kPublished{
    {0.01, 0.05, {15, 71}},
    {0.05, 0.05, {15, 71}},
    {0.1, 0.05, {10, 11, 15, 71, 363}},
    {0.2, 0.05, {10, 11, 15, 71}},
    {0.1, 0.01, {10,  11,  15,  28,  29,  35,  37,  48,  49,  61,  71,  95,  117, 131,
                 142, 148, 165, 169, 192, 206, 212, 260, 265, 268, 278, 282, 363}},
    {0.2, 0, {3,   6,   7,   10,  11,  13,  15,  16,  28,  29,  35,  37,  39,  41,  44,  48,  49,  56,
              58,  61,  65,  66,  69,  71,  74,  76,  82,  95,  108, 117, 125, 126, 129, 131, 136, 137,
              142, 148, 165, 169, 187, 190, 192, 197, 200, 212, 220, 241, 243, 246, 247, 249, 250, 260,
              265, 266, 268, 278, 282, 288, 305, 306, 325, 330, 337, 338, 340, 347, 349, 363}},
    {0.1, 0, {3,   6,   10,  11,  15,  16,  28,  29,  35,  37,  39,  41,  44,  48,  49,  61,  71, 95,
              117, 131, 142, 148, 165, 169, 192, 206, 212, 260, 265, 268, 278, 282, 288, 305, 363}},
    {0.01, 0, {15, 26, 61, 71, 95, 117, 131, 142, 148, 165, 169, 192, 212, 260}},
    {0.001, 0, {15, 61, 71, 95, 117, 131, 142, 148, 192, 212, 260}},
    {0.0001, 0, {71, 95, 117, 131, 142, 148, 192, 212}},
    {0.00001, 0, {71, 95, 131, 192, 212}},
};

}  // namespace

BOOST_AUTO_TEST_SUITE(change_points)

BOOST_AUTO_TEST_CASE(agrees_with_every_published_tigerbeetle_result) {
  BOOST_REQUIRE(tigerbeetle().size() == 365U);
  for (const Published& published : kPublished) {
    BOOST_TEST_CONTEXT("p " << published.max_p_value << ", change " << published.min_change) {
      BOOST_TEST(in_tigerbeetle(published.max_p_value, published.min_change, true) == published.expected,
                 boost::test_tools::per_element());
    }
  }
}

// Where ours differ from the published results, every point of it. Three causes, all of them off with as_otava:
// - sample deviations instead of population ones make the t-test less sure: alone they lose 117, 142, 148 (p = 0.0001)
//   and 212 (0.00001);
// - the two neighbours of a dropped point are tested anew, not the two points after it: alone this loses 363 (p = 0.1,
//   5 %), 265 (0.1, 1 %) and 260 (0.001);
// - the medians must differ as well: alone this loses 35 and 37 (p = 0.1, 1 %).
// At p = 0.01 and above without a minimum change they act together, mostly on points that no history would show.
BOOST_AUTO_TEST_CASE(deviates_from_the_published_results_only_for_known_causes) {
  struct Deviation {
    Indices lost, gained;
  };
  const std::vector<Deviation> deviations{
      {{}, {}},
      {{}, {}},
      {{363}, {}},
      {{}, {}},
      {{35, 37, 265}, {}},
      {{58,  65,  66,  69,  125, 126, 129, 136, 137, 187, 190, 200, 243,
        246, 247, 250, 265, 266, 268, 278, 325, 337, 338, 340, 347, 349},
       {84, 91, 201, 202, 206, 230}},
      {{6, 16, 39, 265, 288, 305}, {236}},
      {{26, 165, 169}, {}},
      {{260}, {}},
      {{117, 142, 148}, {}},
      {{212}, {}},
  };
  for (std::size_t i = 0; i < kPublished.size(); ++i) {
    const auto& [max_p_value, min_change, published] = kPublished[i];
    Indices expected = deviations[i].gained;
    std::set_difference(published.begin(), published.end(), deviations[i].lost.begin(), deviations[i].lost.end(),
                        std::back_inserter(expected));
    std::sort(expected.begin(), expected.end());
    BOOST_TEST_CONTEXT("p " << max_p_value << ", change " << min_change) {
      BOOST_TEST(in_tigerbeetle(max_p_value, min_change, false) == expected, boost::test_tools::per_element());
    }
  }
}

BOOST_AUTO_TEST_CASE(a_step_is_found_where_it_is) {
  const auto points = find_change_points(levels({100, 103}));
  BOOST_REQUIRE(points.size() == 1U);
  BOOST_TEST(points[0].index == 20U);
  BOOST_TEST(std::abs(points[0].before - 100) < 0.1);
  BOOST_TEST(std::abs(points[0].after - 103) < 0.1);
  BOOST_TEST(std::abs(points[0].change_pct - 3) < 0.2);
  BOOST_TEST(points[0].p_value < 1e-9);
}

BOOST_AUTO_TEST_CASE(a_fall_and_a_rise_are_two_points) {
  BOOST_TEST(indices(find_change_points(levels({100, 90, 100}))) == (Indices{20, 40}),
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(steps_far_apart_are_found_across_windows) {
  BOOST_TEST(indices(find_change_points(levels({100, 103, 106.1, 103, 100}, 70))) == (Indices{70, 140, 210, 280}),
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_steady_series_has_none) {
  BOOST_TEST(find_change_points(levels({100}, 300)).empty());
  BOOST_TEST(find_change_points(std::vector<double>(300, 1728.0)).empty());
  BOOST_TEST(find_change_points({}).empty());
  BOOST_TEST(find_change_points(std::vector<double>{5.0}).empty());
}

BOOST_AUTO_TEST_CASE(a_change_under_the_minimum_is_none) {
  BOOST_TEST(find_change_points(levels({100, 100.8}, 20, 0.05)).empty());
  BOOST_TEST(find_change_points(levels({100, 100.8}, 20, 0.05), {.min_change = 0.005}).size() == 1U);
}

BOOST_AUTO_TEST_CASE(a_drift_is_found_although_no_step_of_it_is_a_change) {
  std::vector<double> values;
  for (std::size_t i = 0; i < 60; ++i) {
    add_level(values, 1, 100 * (1 + 0.003 * static_cast<double>(i)), 0.2);
  }
  const auto points = find_change_points(values);
  BOOST_REQUIRE(!points.empty());
  for (const ChangePoint& point : points) {
    BOOST_TEST(point.after > point.before);
  }
}

BOOST_AUTO_TEST_CASE(odd_nights_are_no_level) {
  for (const std::size_t odd : {1U, 2U}) {
    BOOST_TEST_CONTEXT(odd << " odd runs") {
      std::vector<double> at_the_end = levels({100}, 30);
      add_level(at_the_end, odd, 140, 0.2);
      BOOST_TEST(find_change_points(at_the_end).empty());
      std::vector<double> between = at_the_end;
      add_level(between, 30, 100, 0.2);
      BOOST_TEST(find_change_points(between).empty());
    }
  }
  std::vector<double> enough = levels({100}, 30);
  add_level(enough, 5, 140, 0.2);
  BOOST_TEST(indices(find_change_points(enough)) == Indices{30}, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_flip_of_less_than_a_tick_is_none) {
  std::vector<double> values(25, 1728.0);
  values.insert(values.end(), 25, 1756.0);  // 1.6 %
  BOOST_TEST(find_change_points(values, {.resolution = 32}).empty());
  BOOST_TEST(find_change_points(values).size() == 1U);
}

BOOST_AUTO_TEST_CASE(a_level_on_the_grid_of_the_timer_is_not_taken_for_exact) {
  const std::vector<double> one(8, 1000.0);
  const std::vector<double> other(8, 1016.0);
  BOOST_TEST(test_levels(one, other, {}).p_value == 0.0);
  BOOST_TEST(test_levels(one, other, {.resolution = 32}).p_value > 1e-4);
}

BOOST_AUTO_TEST_CASE(the_test_is_students) {
  // t = -1.1547, 6 degrees of freedom: 1, 2, 3, 4 against 2, 3, 4, 5 (sums of squares 5 and 5).
  const LevelTest test = test_levels(std::vector<double>{1, 2, 3, 4}, std::vector<double>{2, 3, 4, 5}, {});
  BOOST_TEST(test.before == 2.5);
  BOOST_TEST(test.after == 3.5);
  const double t = 1 / std::sqrt(10.0 / 6 * 0.5);
  BOOST_TEST(std::abs(t - 1.0954) < 1e-3);
  BOOST_TEST(std::abs(test.p_value - 0.31530) < 1e-4);
  BOOST_TEST(test_levels(std::vector<double>{1}, std::vector<double>{2}, {}).p_value == 1.0);
}

BOOST_AUTO_TEST_CASE(the_split_is_where_the_energy_distance_is_largest) {
  // 0, 0, 10, 10: q-hat of the middle is 2 / 4 x (4 x 10) = 20, of the others less.
  const auto split = best_energy_split(std::vector<double>{0, 0, 10, 10}, 1);
  BOOST_REQUIRE(split.has_value());
  BOOST_TEST(split->at == 2U);
  BOOST_TEST(split->distance == 20.0);
  BOOST_TEST(!best_energy_split(std::vector<double>{0, 10, 10}, 2).has_value());
}

BOOST_AUTO_TEST_SUITE_END()
