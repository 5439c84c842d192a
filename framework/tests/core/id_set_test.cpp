#include "core/id_set.hpp"

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <limits>
#include <random>
#include <vector>

using opgate::core::IdSet;

BOOST_AUTO_TEST_SUITE(id_set)

BOOST_AUTO_TEST_CASE(an_empty_set_holds_nothing) {
  BOOST_TEST(!IdSet({}).contains(0));
  BOOST_TEST(!IdSet({}).contains(7));
}

BOOST_AUTO_TEST_CASE(close_and_distant_ids_alike) {
  constexpr std::uint32_t most = std::numeric_limits<std::uint32_t>::max();
  const std::vector<std::vector<std::uint32_t>> sets{{5}, {0}, {most}, {9, 7, 7, 8}, {0, most}, {most, 3, most - 1, 3}};
  for (const auto& ids : sets) {
    const IdSet set(ids);
    for (const std::uint32_t id : {0U, 1U, 2U, 3U, 4U, 5U, 6U, 7U, 8U, 9U, 10U, most - 2, most - 1, most}) {
      BOOST_TEST(set.contains(id) == (std::find(ids.begin(), ids.end(), id) != ids.end()));
    }
  }
}

BOOST_AUTO_TEST_CASE(agrees_with_looking_at_every_id) {
  std::mt19937 dice(5);
  for (const std::uint32_t spread : {1U, 3U, 400U, 10'000'000U}) {
    std::vector<std::uint32_t> ids;
    for (int i = 0; i < 100; ++i) {
      ids.push_back(1000 + static_cast<std::uint32_t>(dice() % 200) * spread);
    }
    const IdSet set(ids);
    for (std::uint32_t id = 900; id < 1300; ++id) {
      BOOST_TEST(set.contains(id) == (std::find(ids.begin(), ids.end(), id) != ids.end()));
    }
    BOOST_TEST(std::all_of(ids.begin(), ids.end(), [&](std::uint32_t id) { return set.contains(id); }));
  }
}

BOOST_AUTO_TEST_SUITE_END()
