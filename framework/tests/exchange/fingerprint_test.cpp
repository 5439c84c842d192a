#include "exchange/fingerprint.hpp"

#include <boost/test/unit_test.hpp>
#include <set>
#include <string>

using opgate::exchange::Fingerprint;

BOOST_AUTO_TEST_SUITE(fingerprint)

BOOST_AUTO_TEST_CASE(it_looks_like_a_version_8_uuid) {
  Fingerprint fingerprint;
  fingerprint.add(std::string_view("tiny"));
  const std::string uuid = fingerprint.uuid();
  BOOST_REQUIRE(uuid.size() == 36U);
  BOOST_TEST(uuid[14] == '8');
  BOOST_TEST((uuid[19] == '8' || uuid[19] == '9' || uuid[19] == 'a' || uuid[19] == 'b'));
}

BOOST_AUTO_TEST_CASE(equal_content_is_equal_and_any_change_shows) {
  std::set<std::string> seen;
  for (std::int64_t value = 0; value < 2000; ++value) {
    Fingerprint fingerprint, again;
    for (auto* one : {&fingerprint, &again}) {
      one->add(value % 50);
      one->add(value / 50);
    }
    BOOST_REQUIRE(fingerprint.uuid() == again.uuid());
    seen.insert(fingerprint.uuid());
  }
  BOOST_TEST(seen.size() == 2000U);
  Fingerprint split, joined;
  split.add(std::string_view("ab"));
  split.add(std::string_view("c"));
  joined.add(std::string_view("a"));
  joined.add(std::string_view("bc"));
  BOOST_TEST(split.uuid() != joined.uuid());
}

BOOST_AUTO_TEST_SUITE_END()
