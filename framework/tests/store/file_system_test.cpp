#include "store/file_system.hpp"

#include <boost/test/unit_test.hpp>

#include "store/fixtures.hpp"

namespace opgate::store::test {

BOOST_AUTO_TEST_SUITE(file_system)

BOOST_AUTO_TEST_CASE(network_file_systems_are_known_by_their_type) {
  BOOST_TEST(network_name(0x6969) == "nfs");
  BOOST_TEST(network_name(0xff534d42) == "cifs");
  BOOST_TEST(network_name(static_cast<std::int32_t>(0xfe534d42)) == "smb2");  // as a signed field gives it
  BOOST_TEST(network_name(0x0bd00bd0) == "lustre");
}

BOOST_AUTO_TEST_CASE(local_ones_pass) {
  // ext4, xfs, btrfs, tmpfs, overlay, zfs: statfs(2)
  for (const std::int64_t type : {0xef53L, 0x58465342L, 0x9123683eL, 0x01021994L, 0x794c7630L, 0x2fc12fc1L, 0L}) {
    BOOST_TEST(network_name(type).empty());
  }
  const TemporaryFolder folder;
  BOOST_TEST(network_file_system_of(folder / "not" / "there.sqlite").empty());
}

BOOST_AUTO_TEST_CASE(the_refusal_names_file_kind_and_remedy) {
  const std::string text = network_refused("/mnt/share/history.sqlite", "nfs").what();
  for (const char* const part : {"/mnt/share/history.sqlite: ", "(nfs)", "fix: keep the history on a local disk"}) {
    BOOST_TEST(text.find(part) != std::string::npos, text);
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace opgate::store::test
