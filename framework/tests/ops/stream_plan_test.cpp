#include "ops/gemm/stream_plan.hpp"

#include <boost/test/unit_test.hpp>

using ops::gemm::kStripColumns;
using ops::gemm::StreamPlan;

namespace {

constexpr int kH200 = 132;

int rounds(int n, int multiprocessors, const StreamPlan& plan) {
  const int columns = kStripColumns * plan.groups;
  const int strips = (n + columns - 1) / columns;
  BOOST_TEST(plan.blocks >= 1);
  BOOST_TEST(plan.blocks <= multiprocessors);
  BOOST_TEST(plan.blocks <= strips);
  return (strips + plan.blocks - 1) / plan.blocks;
}

StreamPlan plan_of(int m, int n, int multiprocessors = kH200) {
  return ops::gemm::stream_plan(m, n, multiprocessors);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(stream_plan)

BOOST_AUTO_TEST_CASE(the_shapes_of_gemm_get_what_was_fastest_on_an_h200) {
  BOOST_TEST(plan_of(1, 4096).groups == 1);
  BOOST_TEST(plan_of(1, 7168).groups == 1);
  BOOST_TEST(plan_of(1, 128256).groups == 1);
  BOOST_TEST(plan_of(4, 7168).groups == 2);
  BOOST_TEST(plan_of(8, 8192).groups == 2);
  BOOST_TEST(plan_of(16, 8192).groups == 4);
  BOOST_TEST(plan_of(16, 7168).groups == 4);
}

BOOST_AUTO_TEST_CASE(many_rows_and_rows_too_long_for_an_int_are_not_streamed) {
  BOOST_TEST(ops::gemm::is_streamed(16, 57344));
  BOOST_TEST(!ops::gemm::is_streamed(17, 57344));
  BOOST_TEST(ops::gemm::is_streamed(1, std::int64_t{1} << 30U));
  BOOST_TEST(!ops::gemm::is_streamed(1, (std::int64_t{1} << 30U) + 16));
}

BOOST_AUTO_TEST_CASE(the_blocks_share_the_strips_out_evenly) {
  BOOST_TEST(plan_of(1, 4096).blocks == 128);
  BOOST_TEST(plan_of(4, 7168).blocks == 112);
  BOOST_TEST(plan_of(1, 1).blocks == 1);
  BOOST_TEST(plan_of(16, 9).blocks == 2);
  for (int n = 1; n < 40000; n += 331) {
    for (const int m : {1, 3, 8, 9, 16}) {
      for (const int multiprocessors : {1, 78, kH200}) {
        const auto plan = plan_of(m, n, multiprocessors);
        const int columns = kStripColumns * plan.groups;
        const int strips = (n + columns - 1) / columns;
        // No more rounds than with a block on every multiprocessor.
        BOOST_TEST(rounds(n, multiprocessors, plan) == (strips + multiprocessors - 1) / multiprocessors);
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(four_groups_are_for_more_than_eight_rows) {
  for (int n = 8; n < 200000; n = n * 3 + 8) {
    for (int m = 1; m <= 8; ++m) BOOST_TEST(plan_of(m, n).groups <= 2);
  }
}

BOOST_AUTO_TEST_SUITE_END()
