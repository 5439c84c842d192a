#include "ops/gemm/narrow_plan.hpp"

#include <boost/test/unit_test.hpp>

using ops::gemm::NarrowPlan;

namespace {

constexpr int kH200 = 132;

void expect(int n, int row_bytes, int width, int strips, int splits) {
  const NarrowPlan plan = ops::gemm::narrow_plan(n, row_bytes, kH200);
  BOOST_TEST(plan.width == width);
  BOOST_TEST(plan.strips == strips);
  BOOST_TEST(plan.splits == splits);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(narrow_plan)

BOOST_AUTO_TEST_CASE(the_shapes_of_decode_steps_get_what_was_fastest_on_an_h200) {
  expect(6144, 4096, 48, 1, 1);
  expect(28672, 8192, 64, 2, 1);
  expect(4096, 28672, 64, 1, 2);
  expect(8192, 16384, 64, 1, 1);
}

BOOST_AUTO_TEST_CASE(the_smoke_workloads_run_every_kernel) {
  expect(1001, 2 * 2056, 32, 1, 1);
  expect(5201, 2 * 136, 48, 1, 1);
  expect(7001, 2 * 136, 64, 1, 1);
  expect(17001, 2 * 72, 64, 2, 1);
  expect(1001, 2 * 9000, 64, 1, 2);
  expect(1008, 2064, 32, 1, 1);
  expect(5200, 144, 48, 1, 1);
  expect(7008, 144, 64, 1, 1);
  expect(17008, 144, 64, 2, 1);
  expect(1008, 18016, 64, 1, 2);
}

BOOST_AUTO_TEST_CASE(the_clusters_cover_n_once) {
  for (int n = 1; n < 300000; n = n * 2 + 7) {
    for (const int row_bytes : {16, 2064, 8192, 1 << 30}) {
      for (const int multiprocessors : {1, 78, kH200}) {
        const NarrowPlan plan = ops::gemm::narrow_plan(n, row_bytes, multiprocessors);
        const std::int64_t columns = std::int64_t{plan.width} * plan.strips;
        BOOST_TEST(plan.clusters * columns >= n);
        BOOST_TEST((plan.clusters - 1) * columns < n);
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(many_rows_and_rows_too_long_for_an_int_are_not_narrow) {
  BOOST_TEST(ops::gemm::is_narrow(64, 57344));
  BOOST_TEST(!ops::gemm::is_narrow(65, 57344));
  BOOST_TEST(ops::gemm::is_narrow(64, std::int64_t{1} << 30U));
  BOOST_TEST(!ops::gemm::is_narrow(64, (std::int64_t{1} << 30U) + 16));
}

BOOST_AUTO_TEST_SUITE_END()
