#include "collect/nonce.hpp"

#include <boost/test/unit_test.hpp>
#include <unordered_set>

using opgate::collect::NonceSequence;

BOOST_AUTO_TEST_SUITE(nonce)

BOOST_AUTO_TEST_CASE(no_two_phases_of_a_process_share_one_and_none_is_zero) {
  NonceSequence sequence(12345);
  std::unordered_set<std::uint32_t> seen{0};
  for (int i = 0; i < 100'000; ++i) BOOST_REQUIRE(seen.insert(sequence.next()).second);
}

BOOST_AUTO_TEST_CASE(zero_is_passed_over) {
  // The seed from which the first step lands on 0.
  NonceSequence sequence(0x1'0000'0000U - 0x9e37'79b1U);
  BOOST_TEST(sequence.next() == 0x9e37'79b1U);
}

BOOST_AUTO_TEST_CASE(processes_differ) {
  BOOST_TEST(NonceSequence(1).next() != NonceSequence(2).next());
  BOOST_TEST(NonceSequence(1).next() != NonceSequence(1ULL << 40U).next());
}

BOOST_AUTO_TEST_SUITE_END()
