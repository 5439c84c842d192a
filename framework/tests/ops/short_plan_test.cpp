#include "ops/batched_gemm/short_plan.hpp"

#include <boost/test/unit_test.hpp>

using ops::batched_gemm::kShortBlocks;
using ops::batched_gemm::kShortRounds;
using ops::batched_gemm::tiles_per_block;

BOOST_AUTO_TEST_SUITE(short_plan)

BOOST_AUTO_TEST_CASE(few_rows_of_tiles_are_cut_until_there_are_blocks_enough) {
  BOOST_TEST(tiles_per_block(1, 1, 132) == 1);
  BOOST_TEST(tiles_per_block(1, 4, 132) == 1);
  BOOST_TEST(tiles_per_block(512, 16, 132) == 8);  // 512 blocks are fewer than two rounds of two per multiprocessor
  BOOST_TEST(tiles_per_block(528, 16, 132) == 16);
  BOOST_TEST(tiles_per_block(128, 4, 132) == 1);
  BOOST_TEST(tiles_per_block(100000, 7, 132) == 7);
}

BOOST_AUTO_TEST_CASE(a_block_takes_what_leaves_blocks_enough) {
  for (int tiles = 1; tiles < 40; ++tiles) {
    for (const int rows : {1, 17, 300, 1000}) {
      const int each = tiles_per_block(rows, tiles, 132);
      BOOST_TEST(each >= 1);
      BOOST_TEST(each <= tiles);
      const int blocks = rows * ((tiles + each - 1) / each);
      BOOST_TEST((each == 1 || blocks >= kShortRounds * kShortBlocks * 132));
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
