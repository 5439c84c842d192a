#include "run/trace_files.hpp"

#include <boost/test/unit_test.hpp>
#include <fstream>

#include "device/environment.hpp"

using namespace opgate;

namespace {

struct Traces : test::Folder {
  std::filesystem::path add(const std::string& name) const {
    std::filesystem::create_directories((path / name).parent_path());
    std::ofstream(path / name) << "x";
    return path / name;
  }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(trace_files, Traces)

BOOST_AUTO_TEST_CASE(a_case_s_trace_lies_in_the_folder_or_among_the_faults) {
  BOOST_TEST(!run::find_trace(path, "add.small.f16", false).has_value());
  const auto fault = add("faults/add.small.f16.trace.jsonl");
  BOOST_TEST(run::find_trace(path, "add.small.f16", false).value() == fault);
  const auto plain = add("add.small.f16.trace.jsonl");
  BOOST_TEST(run::find_trace(path, "add.small.f16", false).value() == plain);
  BOOST_TEST(!run::find_trace(path, "add.small", false).has_value());
}

BOOST_AUTO_TEST_CASE(a_confirmation_has_a_trace_of_its_own) {
  add("add.small.f16.trace.jsonl");
  BOOST_TEST(!run::find_trace(path, "add.small.f16", true).has_value());
  const auto confirmation = add("add.small.f16.confirm.trace.jsonl");
  BOOST_TEST(run::find_trace(path, "add.small.f16", true).value() == confirmation);
}

BOOST_AUTO_TEST_CASE(a_folder_of_that_name_is_no_trace) {
  std::filesystem::create_directory(path / "add.small.f16.trace.jsonl");
  BOOST_TEST(!run::find_trace(path, "add.small.f16", false).has_value());
}

BOOST_AUTO_TEST_CASE(where_a_confirmation_is_recorded_is_where_it_is_found) {
  const auto first = path / "add.small.f16.trace.jsonl";
  const auto confirmation = run::confirmation_path(first);
  BOOST_TEST(confirmation == path / "add.small.f16.confirm.trace.jsonl");
  BOOST_TEST(run::confirmation_path("/t/mine") == "/t/mine.confirm.trace.jsonl");
  add(confirmation.filename().string());
  BOOST_TEST(run::find_trace(path, "add.small.f16", true).value() == confirmation);
}

BOOST_AUTO_TEST_SUITE_END()
