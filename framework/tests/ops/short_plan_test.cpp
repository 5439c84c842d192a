#include "ops/batched_gemm/short_plan.hpp"

#include <boost/test/unit_test.hpp>

using ops::batched_gemm::ShortPlan;

namespace {

ShortPlan plan_of(int batch, int m, int n) {
  return ops::batched_gemm::short_plan(batch, m, n, 132);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(short_plan)

BOOST_AUTO_TEST_CASE(the_shapes_of_batched_gemm_get_what_was_fastest_on_an_h200) {
  BOOST_TEST(plan_of(32, 2048, 2048).rows == 256);  // scores of a prefill
  BOOST_TEST(plan_of(32, 2048, 2048).tiles == 16);
  BOOST_TEST(plan_of(128, 64, 512).rows == 128);  // absorb of a decode step
  BOOST_TEST(plan_of(128, 64, 512).tiles == 2);
}

BOOST_AUTO_TEST_CASE(few_strips_are_cut_and_many_are_not) {
  BOOST_TEST(plan_of(1, 1, 1).tiles == 1);
  BOOST_TEST(plan_of(1, 100, 512).tiles == 1);
  BOOST_TEST(plan_of(66, 300, 521).tiles == 5);  // smoke: more tiles than stages, and with few rows more than one
  BOOST_TEST(plan_of(66, 100, 521).tiles == 2);
  BOOST_TEST(plan_of(60000, 2048, 7 * 128).tiles == 7);
}

BOOST_AUTO_TEST_CASE(a_block_takes_from_one_tile_to_all_and_the_last_round_is_not_wasted) {
  for (int tiles = 1; tiles < 40; ++tiles) {
    for (const int batch : {1, 17, 300, 65535}) {
      for (const int m : {1, 128, 129, 4096}) {
        const ShortPlan plan = plan_of(batch, m, tiles * 128 - 1);
        BOOST_TEST(plan.rows == (m <= 128 ? 128 : 256));
        BOOST_TEST(plan.tiles >= 1);
        BOOST_TEST(plan.tiles <= tiles);
        // Blocks that would all run at once are no reason to give one more tiles than another can take off it.
        const int halved = (plan.tiles + 1) / 2;
        const std::int64_t blocks = std::int64_t{batch} * ((m - 1) / plan.rows + 1) * ((tiles - 1) / halved + 1);
        BOOST_TEST((plan.tiles == 1 || blocks > std::int64_t{132} * (256 / plan.rows)));
      }
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
