#include "exchange/gunzip.hpp"

#include <boost/test/unit_test.hpp>

#include "exchange/gzip.hpp"
#include "opgate/error.hpp"

using namespace opgate;

using tests::gzip;

namespace {

std::string problem(const std::string& packed, std::size_t most = 1U << 20U) {
  try {
    static_cast<void>(exchange::gunzip(packed, "in.gz", most));
  } catch (const Error& error) {
    BOOST_TEST((error.kind() == ErrorKind::io));
    BOOST_TEST(!error.remedy().empty());
    return error.what();
  }
  return "no error";
}

}  // namespace

BOOST_AUTO_TEST_SUITE(gunzip)

BOOST_AUTO_TEST_CASE(every_member_is_unpacked) {
  const std::string text(700'000, 'x');
  BOOST_TEST(exchange::gunzip(gzip(text), "in.gz", text.size()) == text);
  BOOST_TEST(exchange::gunzip(gzip("a,b\n") + gzip("1,2\n"), "in.gz", 100) == "a,b\n1,2\n");
  BOOST_TEST(exchange::gunzip(gzip(""), "in.gz", 0).empty());
}

BOOST_AUTO_TEST_CASE(a_damaged_or_cut_file_names_the_byte) {
  const std::string packed = gzip("some text that is long enough to be cut, some text that is long enough");
  BOOST_TEST(problem(packed.substr(0, packed.size() / 2)).starts_with("in.gz: byte "));
  BOOST_TEST(problem(packed.substr(0, packed.size() - 1)).find("ends early") != std::string::npos);
  BOOST_TEST(problem(packed + "tail").find("damaged") != std::string::npos);
  std::string wrong = packed;
  wrong[packed.size() - 6] ^= 0x55;  // the checksum
  BOOST_TEST(problem(wrong).find("damaged") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_bomb_stops_at_the_bound) {
  const std::string packed = gzip(std::string(8U << 20U, '\0'));
  BOOST_TEST(packed.size() < 100'000U);
  BOOST_TEST(problem(packed).find("holds more than 1 MiB") != std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()
