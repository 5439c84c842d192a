#include "text/slug.hpp"

#include <boost/test/unit_test.hpp>
#include <string>

BOOST_AUTO_TEST_SUITE(slug)

BOOST_AUTO_TEST_CASE(names_become_lower_case_words) {
  BOOST_TEST(opgate::text::slug("NVIDIA H200") == "nvidia-h200");
  BOOST_TEST(opgate::text::slug("NVIDIA H100 80GB HBM3") == "nvidia-h100-80gb-hbm3");
  BOOST_TEST(opgate::text::slug("  a  (b) ") == "a-b");
}

BOOST_AUTO_TEST_CASE(no_name_leaves_its_folder) {
  BOOST_TEST(opgate::text::slug("../../etc/passwd") == "etc-passwd");
  BOOST_TEST(opgate::text::slug("..") == "unknown");
  BOOST_TEST(opgate::text::slug("/") == "unknown");
  BOOST_TEST(opgate::text::slug("") == "unknown");
  BOOST_TEST(opgate::text::slug("\xC3\xA9") == "unknown");
  BOOST_TEST(opgate::text::slug(std::string("a\0b", 3)) == "a-b");
}

BOOST_AUTO_TEST_CASE(long_names_are_cut) {
  BOOST_TEST(opgate::text::slug(std::string(300, 'x')).size() == 64U);
  BOOST_TEST(opgate::text::slug(std::string(63, 'x') + "-y") == std::string(63, 'x'));
}

BOOST_AUTO_TEST_SUITE_END()
