#include "core/error_bound.hpp"

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <utility>

using opgate::DType;

BOOST_AUTO_TEST_SUITE(error_bound)

BOOST_AUTO_TEST_CASE(a_float_has_room_for_two_roundings_and_not_for_a_narrower_type) {
  // Explicit bits of the significand, so u = 2^-(bits + 1).
  const std::pair<DType, int> kBits[] = {
      {DType::f64, 52}, {DType::f32, 23}, {DType::f16, 10}, {DType::bf16, 7}, {DType::f8e4m3, 3}};
  double wider = 0;
  for (const auto& [dtype, bits] : kBits) {
    const double u = std::ldexp(1.0, -bits - 1);
    BOOST_TEST(opgate::core::error_bound(dtype) >= 1.99 * u, to_string(dtype));
    BOOST_TEST(wider < u, "inputs rounded to " << to_string(dtype) << " pass for the next wider type");
    wider = opgate::core::error_bound(dtype);
  }
  BOOST_TEST(opgate::core::error_bound(DType::f32) < std::ldexp(1.0, -11), "TF32 inputs pass for f32");
}

BOOST_AUTO_TEST_CASE(integers_are_compared_exactly) {
  for (const DType dtype : {DType::i64, DType::i32, DType::i8, DType::u8}) {
    BOOST_TEST(opgate::core::error_bound(dtype) == 0.0);
  }
}

BOOST_AUTO_TEST_SUITE_END()
