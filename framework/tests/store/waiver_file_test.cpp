#include "store/waiver_file.hpp"

#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <string>

#include "device/environment.hpp"
#include "opgate/error.hpp"
#include "text/file.hpp"

using namespace opgate;
using namespace opgate::store;

namespace {

const std::string kGood = R"({"case": "gemm.a.f16", "owner": "Ada", "reason": "known", "expires": "2026-12-31"})";

std::string file_of(const std::string& waivers) {
  return "{\"waivers\": [\n" + waivers + "]}\n";
}

// What is said of a file whose third line is `bad`.
std::string refused(const std::string& bad) {
  const test::Folder folder;
  text::write_file(waivers_path(folder.path), file_of(kGood + ",\n" + bad), ErrorKind::io);
  try {
    static_cast<void>(load_waivers(folder.path));
  } catch (const Error& error) {
    BOOST_TEST((error.kind() == ErrorKind::baseline));
    const std::string said = error.what();
    BOOST_TEST(said.starts_with(waivers_path(folder.path).string() + ":3: "), said);
    BOOST_TEST(said.find("\n  fix: ") != std::string::npos, said);
    return said;
  }
  return "accepted";
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  BOOST_REQUIRE(at != std::string::npos);
  return text.replace(at, from.size(), to);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(waiver_file)

BOOST_AUTO_TEST_CASE(no_file_holds_no_waiver) {
  const test::Folder folder;
  BOOST_TEST(load_waivers(folder.path).empty());
}

BOOST_AUTO_TEST_CASE(every_field_is_read) {
  const test::Folder folder;
  text::write_file(waivers_path(folder.path),
                   file_of(replaced(kGood, "\"case\"", "\"device\": \"NVIDIA H200\", \"case\"")), ErrorKind::io);
  const auto waivers = load_waivers(folder.path);
  BOOST_REQUIRE(waivers.size() == 1U);
  BOOST_TEST((waivers[0].waiver == core::Waiver{"gemm.a.f16", "NVIDIA H200", "Ada", "known", "2026-12-31"}));
  BOOST_TEST(waivers[0].line == 2);
}

BOOST_AUTO_TEST_CASE(a_waiver_is_for_its_case_and_device) {
  const core::Waiver all{"a", "", "Ada", "r", "2026-12-31"};
  const core::Waiver one{"a", "NVIDIA H200", "Bob", "r", "2026-12-31"};
  const std::vector<LoadedWaiver> waivers{{one, 1}, {all, 2}};
  BOOST_TEST(find_waiver(waivers, "a", "NVIDIA H200").value().owner == "Bob");
  BOOST_TEST(find_waiver(waivers, "a", "NVIDIA H100").value().owner == "Ada");
  BOOST_TEST(!find_waiver(waivers, "b", "NVIDIA H200").has_value());
  BOOST_TEST(!find_waiver({{one, 1}}, "a", "NVIDIA H100").has_value());
}

BOOST_AUTO_TEST_CASE(malformed_waivers_name_file_and_line) {
  const std::string other = replaced(kGood, "gemm.a", "gemm.b");
  BOOST_TEST(refused(replaced(other, "2026-12-31", "2026-02-30")).find("2026-02-30") != std::string::npos);
  BOOST_TEST(refused(replaced(other, "\"2026-12-31\"", "20261231")) != "accepted");
  BOOST_TEST(refused(replaced(other, "Ada", " ")).find("blank") != std::string::npos);
  BOOST_TEST(refused(replaced(other, "known", "")).find("blank") != std::string::npos);
  BOOST_TEST(refused(replaced(other, "\"owner\": \"Ada\", ", "")).find("owner") != std::string::npos);
  BOOST_TEST(refused(replaced(other, ", \"expires\": \"2026-12-31\"", "")).find("expires") != std::string::npos);
  BOOST_TEST(refused(replaced(other, "\"owner\"", "\"onwer\"")).find("owner") != std::string::npos);
  BOOST_TEST(refused(kGood).find("waived already in line 2") != std::string::npos);
  BOOST_TEST(refused("7") != "accepted");
}

BOOST_AUTO_TEST_SUITE_END()
