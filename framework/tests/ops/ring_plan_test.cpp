#include "ops/rmsnorm_backward/ring_plan.hpp"

#include <boost/test/unit_test.hpp>
#include <optional>

#include "limits.hpp"

using namespace ops::rmsnorm_backward;
using namespace ops::tests;

BOOST_AUTO_TEST_SUITE(ring_plan)

BOOST_AUTO_TEST_CASE(shapes_are_those_measured) {
  BOOST_TEST((kShort16 == RingShape{256, 2, 512}));
  BOOST_TEST((kLong16 == RingShape{512, 2, 1024}));
  BOOST_TEST((kShort32 == RingShape{512, 2, 512}));
  BOOST_TEST((kLong32 == RingShape{512, 4, 512}));
}

BOOST_AUTO_TEST_CASE(training_rows_pass_through_a_ring) {
  BOOST_TEST((ring_shape(8192, 4096, kBf16) == kShort16));
  BOOST_TEST((ring_shape(8192, 4096, kF32) == kShort32));
  BOOST_TEST((ring_shape(1057, 4104, kBf16) == kLong16));
  BOOST_TEST((ring_shape(1057, 4104, kF32) == kLong32));
  for (const int columns : {5120, 7168, 8192}) {
    BOOST_TEST((ring_shape(4096, columns, kBf16) == kLong16));
    BOOST_TEST((ring_shape(4096, columns, kF32) == kLong32));
  }
}

BOOST_AUTO_TEST_CASE(few_rows_and_short_rows_do_not) {
  BOOST_TEST((ring_shape(kRingRows, 4096, kF32) == kShort32));
  BOOST_TEST((ring_shape(kRingRows - 1, 4096, kF32) == std::nullopt));
  BOOST_TEST((ring_shape(kRingRows, 8192, kBf16) == kLong16));
  BOOST_TEST((ring_shape(kRingRows - 1, 8192, kBf16) == std::nullopt));
  BOOST_TEST((ring_shape(1, 4096, kBf16) == std::nullopt));
  BOOST_TEST((ring_shape(131072, 128, kBf16) == std::nullopt));
  BOOST_TEST((ring_shape(8192, 4088, kBf16) == std::nullopt));
  BOOST_TEST((ring_shape(8192, 2048, kF32) == kShort32));
  BOOST_TEST((ring_shape(8192, 2044, kF32) == std::nullopt));
}

BOOST_AUTO_TEST_CASE(rows_that_are_no_multiple_of_16_bytes_do_not) {
  BOOST_TEST((ring_shape(8192, 4097, kF32) == std::nullopt));
  BOOST_TEST((ring_shape(8192, 4100, kF32) == kLong32));
  BOOST_TEST((ring_shape(8192, 4100, kBf16) == std::nullopt));
  BOOST_TEST((ring_shape(8192, 4104, kBf16) == kLong16));
}

BOOST_AUTO_TEST_CASE(rows_that_registers_cannot_hold_do_not) {
  BOOST_TEST((ring_shape(8192, 8200, kBf16) == std::nullopt));
  BOOST_TEST((ring_shape(8192, 8196, kF32) == std::nullopt));
}

BOOST_AUTO_TEST_CASE(blocks_stay_within_the_threads_of_an_sm) {
  BOOST_TEST(ring_blocks(kLong32, 512, 2) == 1);
  BOOST_TEST(ring_blocks(kShort16, 256, 3) == 2);
  BOOST_TEST(ring_blocks(kShort16, 256, 1) == 1);
  BOOST_TEST(ring_blocks(kShort32, 160, 4) == 3);
  BOOST_TEST(ring_blocks(kShort32, 512, 0) == 1);
  BOOST_TEST(ring_blocks(kLong16, 512, 2) == 2);
  BOOST_TEST(ring_blocks(kLong16, 512, 1) == 1);
  BOOST_TEST(ring_blocks(kLong16, 288, 3) == 3);
}

BOOST_AUTO_TEST_CASE(one_stage_is_fetched_while_another_is_read) {
  BOOST_TEST(ring_stages(stage_bytes(4096, kBf16), 2) == 2);
  BOOST_TEST(ring_stages(stage_bytes(4096, kF32), 1) == 2);
  BOOST_TEST(ring_stages(stage_bytes(8192, kF32), 1) == 2);
  BOOST_TEST(ring_stages(stage_bytes(8192, kBf16), 2) == 2);
  BOOST_TEST(ring_stages(stage_bytes(7168, kF32), 1) == 2);
}

// For every row that passes through a ring, whatever fits on an SM.
BOOST_AUTO_TEST_CASE(every_ring_fits_and_keeps_enough_under_way) {
  int rings = 0;
  for (std::int64_t columns = 4; columns < 20000; columns += 4) {
    for (const int element : {kBf16, kF32}) {
      const std::optional<RingShape> shape = ring_shape(8192, columns, element);
      if (!shape) continue;
      const std::int64_t vectors = columns * element / kRingVector;
      BOOST_REQUIRE(vectors <= shape->vectors());
      const int threads = static_cast<int>((vectors + shape->held * 32 - 1) / (shape->held * 32) * 32);
      BOOST_REQUIRE(threads > 32);  // a barrier frees a stage
      for (int resident = 1; resident <= 4; ++resident, ++rings) {
        const int blocks = ring_blocks(*shape, threads, resident);
        const int stage = stage_bytes(columns, element);
        const int stages = ring_stages(stage, blocks);
        BOOST_REQUIRE(stages >= kFewestStages);
        BOOST_REQUIRE(stages <= kMostStages);
        BOOST_REQUIRE(stages * stage * blocks >= kBytesUnderWay);
        BOOST_REQUIRE((stages * stage + 2048) * blocks < kMostShared);
      }
    }
  }
  BOOST_TEST(rings > 4000);
}

BOOST_AUTO_TEST_SUITE_END()
