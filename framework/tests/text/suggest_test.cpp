#include "text/suggest.hpp"

#include <array>
#include <boost/test/unit_test.hpp>
#include <string>
#include <string_view>
#include <vector>

using opgate::text::edit_distance;
using opgate::text::near_names;
using opgate::text::nearest;

BOOST_AUTO_TEST_SUITE(suggest)

BOOST_AUTO_TEST_CASE(distances) {
  BOOST_TEST(edit_distance("", "") == 0U);
  BOOST_TEST(edit_distance("", "abc") == 3U);
  BOOST_TEST(edit_distance("abc", "") == 3U);
  BOOST_TEST(edit_distance("rows", "row") == 1U);
  BOOST_TEST(edit_distance("rows", "cows") == 1U);
  BOOST_TEST(edit_distance("lables", "labels") == 1U);
  BOOST_TEST(edit_distance("kitten", "sitting") == 3U);
}

BOOST_AUTO_TEST_CASE(the_nearest_is_suggested) {
  const std::array<std::string_view, 3> keys = {"tolerance", "labels", "why"};
  BOOST_TEST(nearest("tolerence", keys).value() == "tolerance");
  BOOST_TEST(nearest("lable", keys).value() == "labels");
  BOOST_TEST(nearest("labels", keys).value() == "labels");
}

BOOST_AUTO_TEST_CASE(far_names_are_not_suggested) {
  const std::vector<std::string> keys = {"tolerance", "labels", "why"};
  BOOST_TEST(!nearest("shape", keys).has_value());
  BOOST_TEST(!nearest("", keys).has_value());
  BOOST_TEST(!nearest("shape", std::vector<std::string>()).has_value());
}

BOOST_AUTO_TEST_CASE(several_come_nearest_first) {
  const std::vector<std::string> names = {"gemm.prefil.f32", "gemm.prefill.bf16", "add.x.f32", "gemm.prefill.f32"};
  const std::vector<std::string> expected = {"gemm.prefill.f32", "gemm.prefil.f32"};
  BOOST_TEST(near_names("gemm.prefill.f3", names, 2) == expected, boost::test_tools::per_element());
  BOOST_TEST(near_names("nothing like it at all", names, 2).empty());
}

BOOST_AUTO_TEST_SUITE_END()
