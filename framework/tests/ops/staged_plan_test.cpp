#include "ops/log_softmax/staged_plan.hpp"

#include <boost/test/unit_test.hpp>
#include <optional>

#include "limits.hpp"

using namespace ops::log_softmax;
using namespace ops::tests;

BOOST_AUTO_TEST_SUITE(staged_plan)

BOOST_AUTO_TEST_CASE(a_vocabulary_of_many_rows_is_staged) {
  BOOST_TEST((staged_held(1024, 128256, kBf16) == kStagedFewHeld));
  BOOST_TEST((staged_held(1024, 128256, kF32) == kStagedMostHeld));
  BOOST_TEST((staged_held(529, 65544, kBf16) == kStagedFewHeld));
  BOOST_TEST((staged_held(529, 65544, kF32) == kStagedMostHeld));
}

BOOST_AUTO_TEST_CASE(few_rows_are_not) {
  BOOST_TEST((staged_held(kStagedRows, 128256, kBf16) == kStagedFewHeld));
  BOOST_TEST((staged_held(kStagedRows - 1, 128256, kBf16) == std::nullopt));
  for (const int rows : {1, 8, 64}) BOOST_TEST((staged_held(rows, 128256, kF32) == std::nullopt));
}

BOOST_AUTO_TEST_CASE(rows_that_are_no_multiple_of_16_bytes_are_not) {
  BOOST_TEST((staged_held(1024, 128257, kF32) == std::nullopt));
  BOOST_TEST((staged_held(1024, 128260, kF32) == kStagedMostHeld));
  BOOST_TEST((staged_held(1024, 128260, kBf16) == std::nullopt));
  BOOST_TEST((staged_held(1024, 128264, kBf16) == kStagedFewHeld));
}

BOOST_AUTO_TEST_CASE(a_row_fills_the_blocks_of_a_cluster_and_fits_their_registers) {
  BOOST_TEST((staged_held(1024, 65536, kBf16) == std::nullopt));
  BOOST_TEST((staged_held(1024, 65544, kBf16) == kStagedFewHeld));
  BOOST_TEST((staged_held(1024, 131072, kBf16) == kStagedFewHeld));
  BOOST_TEST((staged_held(1024, 131080, kBf16) == kStagedMostHeld));
  BOOST_TEST((staged_held(1024, 262144, kBf16) == kStagedMostHeld));
  BOOST_TEST((staged_held(1024, 262152, kBf16) == std::nullopt));
  BOOST_TEST((staged_held(4096, 256, kBf16) == std::nullopt));
  BOOST_TEST((staged_held(1024, 151936, kF32) == std::nullopt));
}

BOOST_AUTO_TEST_CASE(rows_are_counted_in_an_int) {
  BOOST_TEST((staged_held(kMostStagedRows, 128256, kBf16) == kStagedFewHeld));
  BOOST_TEST((staged_held(kMostStagedRows + 1, 128256, kBf16) == std::nullopt));
}

// Every share is held by the threads it is dealt to, no block is without one, and the blocks of an SM have room.
BOOST_AUTO_TEST_CASE(every_row_that_is_staged_fits) {
  int staged = 0;
  for (std::int64_t columns = 8; columns < 300000; columns += 8) {
    for (const int element : {kBf16, kF32}) {
      const std::optional<int> held = staged_held(1024, columns, element);
      if (!held) continue;
      ++staged;
      const std::int64_t vectors = columns * element / kStagedVector;
      const int share = staged_bytes(columns, element) / kStagedVector;
      BOOST_REQUIRE(staged_bytes(columns, element) % kStagedVector == 0);
      BOOST_REQUIRE(share <= kStagedThreads * *held);
      BOOST_REQUIRE(share * kStagedCluster >= vectors);
      BOOST_REQUIRE(share * (kStagedCluster - 1) < vectors);
      BOOST_REQUIRE(staged_bytes(columns, element) * (*held == kStagedFewHeld ? 2 : 1) + 4096 < kMostShared);
    }
  }
  BOOST_TEST(staged > 20000);
}

BOOST_AUTO_TEST_SUITE_END()
