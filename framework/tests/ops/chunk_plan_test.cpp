#include "ops/cumsum/chunk_plan.hpp"

#include <boost/test/unit_test.hpp>

using ops::cumsum::chunks_of;
using ops::cumsum::elements_per_thread;
using ops::cumsum::kLargeChunk;
using ops::cumsum::kManyChunks;
using ops::cumsum::kSmallChunk;

BOOST_AUTO_TEST_SUITE(chunk_plan)

BOOST_AUTO_TEST_CASE(the_last_chunk_may_be_a_part) {
  BOOST_TEST(chunks_of(1, kSmallChunk) == 1);
  BOOST_TEST(chunks_of(4096, kSmallChunk) == 1);
  BOOST_TEST(chunks_of(4097, kSmallChunk) == 2);
  BOOST_TEST(chunks_of(8192, kLargeChunk) == 1);
  BOOST_TEST(chunks_of(10001, kSmallChunk) == 3);
  BOOST_TEST(chunks_of(16777216, kLargeChunk) == 2048);
  BOOST_TEST(chunks_of(std::int64_t{1} << 30U, kLargeChunk) == 131072);
}

BOOST_AUTO_TEST_CASE(chunks_are_large_only_where_there_are_many) {
  BOOST_TEST(elements_per_thread(1, 16777216) == kLargeChunk);
  BOOST_TEST(elements_per_thread(1, 1048576) == kSmallChunk);
  BOOST_TEST(elements_per_thread(1, 128256) == kSmallChunk);
  BOOST_TEST(elements_per_thread(64, 128256) == kSmallChunk);
  BOOST_TEST(elements_per_thread(3, 10001) == kSmallChunk);
  BOOST_TEST(elements_per_thread(3, 2900001) == kLargeChunk);
}

BOOST_AUTO_TEST_CASE(rows_and_columns_count_alike) {
  BOOST_TEST(elements_per_thread(1, kManyChunks * 8192) == kLargeChunk);
  BOOST_TEST(elements_per_thread(1, (kManyChunks - 1) * 8192) == kSmallChunk);
  BOOST_TEST(elements_per_thread(1, (kManyChunks - 1) * 8192 + 1) == kLargeChunk);
  BOOST_TEST(elements_per_thread(kManyChunks, 1025) == kLargeChunk);
  BOOST_TEST(elements_per_thread(kManyChunks - 1, 8192) == kSmallChunk);
  BOOST_TEST(elements_per_thread(kManyChunks / 2, 8193) == kLargeChunk);
}

BOOST_AUTO_TEST_SUITE_END()
