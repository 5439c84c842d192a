#include <boost/test/unit_test.hpp>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <string>

#include "opgate/error.hpp"
#include "store/baseline_file.hpp"
#include "store/baseline_file_sample.hpp"
#include "store/fixtures.hpp"

using namespace opgate;
using namespace opgate::store;
using namespace opgate::store::test;

BOOST_AUTO_TEST_SUITE(baseline_file_refusals)

BOOST_AUTO_TEST_CASE(what_cannot_be_read_is_an_error_and_not_no_baseline) {
  const TemporaryFolder folder;
  BOOST_CHECK_EXCEPTION(static_cast<void>(load_baseline_file(folder.path())), Error,
                        [](const Error& error) { return error.kind() == ErrorKind::baseline; });
  const auto unreadable = [](const Error& error) { return error.summary().starts_with("cannot read: "); };
  fs::create_symlink(folder.path() / "nothing", folder.path() / "link.json");
  BOOST_CHECK_EXCEPTION(static_cast<void>(load_baseline_file(folder.path() / "link.json")), Error, unreadable);
  write(folder.path() / "nvidia-h200", "a file\n");
  BOOST_CHECK_EXCEPTION(static_cast<void>(find_baseline(folder.path(), "NVIDIA H200", "gemm", "gemm.a.f16")), Error,
                        unreadable);
}

BOOST_AUTO_TEST_CASE(a_file_in_the_place_of_another_is_refused) {
  const TemporaryFolder folder;
  const BaselineFile file = sample();
  for (const auto& [device, op] :
       {std::pair(file.device_name, std::string("gemm")), std::pair(std::string("NVIDIA B200"), file.op)}) {
    save_baseline_file(file, baseline_path(folder.path(), device, op));
    BOOST_CHECK_EXCEPTION(static_cast<void>(load_baselines_of(folder.path(), device, op)), Error,
                          [](const Error& error) { return error.summary().starts_with("holds baselines of op"); });
  }
}

BOOST_AUTO_TEST_CASE(malformed_files_name_line_and_fix) {
  const TemporaryFolder folder;
  const fs::path path = folder.path() / "rmsnorm.json";
  const std::string good = format_baseline_file(sample());
  write(path, good);
  BOOST_REQUIRE(load_baseline_file(path).has_value());

  check_refused(path, "", ":1: ", "not valid JSON");
  check_refused(path, "[]\n", ":1: ", "must be an object");
  check_refused(path, "\xEF\xBB\xBF" + good, ":1: ", "byte order mark");
  check_refused(path, replaced(good, "\"version\": 2", "\"version\": 3"),
                ":26: ", "baseline format 3 is newer than 2, the newest this opgate reads");
  check_refused(path, "{\"version\": 7, \"shape_of_things_to_come\": []}", ":1: ", "baseline format 7 is newer");
  check_refused(path, replaced(good, "\"version\": 2", "\"version\": 0"), ":26: ", "there is no baseline format 0");
  check_refused(path, replaced(good, "\"version\": 2", "\"version\": \"2\""),
                ":26: ", "\"version\" must be an integer");
  check_refused(path, replaced(good, ",\n  \"version\": 2", ""), ":1: ", "key \"version\" is missing");
  check_refused(path, replaced(good, "\"op\":", "\"ops\":"), ":25: ", "unknown key \"ops\"");
  check_refused(path, replaced(good, "\"op\": \"rmsnorm\"", "\"op\": \"rmsnorm\", \"op\": \"gemm\""),
                ":25: ", "appears twice");
  check_refused(path, replaced(good, "rmsnorm.prefill.bf16", "rmsnorm.decode-1.bf16"), ":13: ", "appears twice");
  check_refused(path, replaced(good, "\"who\":", "\"whom\":"), ":4: ", "unknown key \"whom\"");
  check_refused(path, replaced(good, "\"timing\": \"cupti\"", "\"timing\": 1"), ":5: ", "\"timing\" must be a string");
  check_refused(path, replaced(good, "\"flush\": \"read\", ", ""), ":5: ", "key \"flush\" is missing");
  check_refused(path, replaced(good, "9223372036854775807", "9223372036854775808"),
                ":6: ", "integer of at most 64 bits");
  check_refused(path, replaced(good, "\"centre_ns\": 1700.875", "\"centre_ns\": NaN"), ":7: ", "not valid JSON");
  check_refused(path, replaced(good, "\"centre_ns\": 1700.875", "\"centre_ns\": 0"),
                ":7: ", "0 is not a time above zero");
  check_refused(path, replaced(good, "\"noise_ns\": 2", "\"noise_ns\": -2"),
                ":9: ", "-2 is not a noise of zero or more");
  check_refused(path, replaced(good, "\"centre_ns\": 5,", "\"centre_ns\": 4.99,"),
                ":9: ", "the centre is 4.99, but the median of its runs is 5");
  check_refused(path, replaced(good, "\"time_ns\": 1695.5", "\"time_ns\": 0"), ":7: ", "0 is not a time above zero");
  check_refused(path, replaced(good, "[5]", "[]"), ":9: ", "a baseline without runs");
  check_refused(path, replaced(good, "[5]", "[-5]"), ":9: ", "-5 is not a time above zero");
  check_refused(path, replaced(good, ": 0.75}", ": 1.5}"), ":7: ", "is above 1");
  check_refused(path, replaced(good, "\\n", "\xFF"), ":4: ", "ill-formed UTF-8");
}

BOOST_AUTO_TEST_CASE(every_truncation_is_refused) {
  const TemporaryFolder folder;
  const fs::path path = folder.path() / "a.json";
  const std::string good = format_baseline_file(sample());
  for (std::size_t size = 0; size + 1 < good.size(); size += 7) {
    write(path, good.substr(0, size));
    BOOST_CHECK_THROW(static_cast<void>(load_baseline_file(path)), Error);
  }
}

BOOST_AUTO_TEST_CASE(nothing_is_written_that_would_not_be_read) {
  const TemporaryFolder folder;
  const fs::path path = folder.path() / "a.json";
  save_baseline_file(sample(), path);
  const std::string before = read(path);
  const auto check_unwritten = [&](const BaselineFile& file) {
    BOOST_CHECK_EXCEPTION(save_baseline_file(file, path), Error,
                          [](const Error& error) { return error.kind() == ErrorKind::baseline; });
    BOOST_TEST(read(path) == before);
  };
  BaselineFile file = sample();
  file.cases.begin()->second.baseline.model.time->centre_ns = std::numeric_limits<double>::quiet_NaN();
  check_unwritten(file);
  file = sample();
  file.cases.begin()->second.baseline.model.time->run_medians_ns.clear();
  check_unwritten(file);
  file = sample();
  file.cases.begin()->second.accepted.who = "\xFF";
  check_unwritten(file);
  file = sample();
  file.cases.begin()->second.baseline.identity.op = "gemm";
  check_unwritten(file);
  file = sample();
  file.cases.begin()->second.baseline.conditions.device_name = "NVIDIA H100";
  check_unwritten(file);
  file = sample();
  file.cases["rmsnorm.other.bf16"] = file.cases.begin()->second;
  check_unwritten(file);
}

BOOST_AUTO_TEST_CASE(saving_makes_the_device_folder_or_says_why_not) {
  const TemporaryFolder folder;
  const fs::path path = baseline_path(folder.path() / "baselines", "NVIDIA H200", "rmsnorm");
  save_baseline_file(sample(), path);
  BOOST_TEST(fs::exists(folder.path() / "baselines" / "nvidia-h200" / "rmsnorm.json"));
  write(folder.path() / "file", "");
  BOOST_CHECK_EXCEPTION(
      save_baseline_file(sample(), folder.path() / "file" / "x" / "a.json"), Error, [](const Error& error) {
        return error.kind() == ErrorKind::baseline && error.summary().starts_with("cannot create the folder: ");
      });
}

BOOST_AUTO_TEST_CASE(names_never_leave_the_folder) {
  const fs::path root = "baselines";
  BOOST_TEST(baseline_path(root, "NVIDIA H200", "moe_dispatch") == root / "nvidia-h200" / "moe_dispatch.json");
  BOOST_TEST(baseline_path(root, "../../x", "../../etc/passwd") == root / "x" / "etc-passwd.json");
  BOOST_TEST(baseline_path(root, "..", "..") == root / "unknown" / "unknown.json");
  BOOST_TEST(baseline_path(root, "", "/") == root / "unknown" / "unknown.json");
  BOOST_TEST(baseline_path(root, "a", std::string("a\0b", 3)) == root / "a" / "a-b.json");
}

BOOST_AUTO_TEST_CASE(a_file_in_the_place_of_another_is_an_error) {
  const TemporaryFolder folder;
  save_baseline_file(sample(), baseline_path(folder.path(), "NVIDIA H200", "gemm"));
  save_baseline_file(sample(), baseline_path(folder.path(), "NVIDIA H100", "rmsnorm"));
  const auto misplaced = [](const Error& error) {
    return error.kind() == ErrorKind::baseline && error.summary().starts_with("holds baselines of op \"rmsnorm\" on");
  };
  BOOST_CHECK_EXCEPTION(static_cast<void>(find_baseline(folder.path(), "NVIDIA H200", "gemm", "gemm.a.f16")), Error,
                        misplaced);
  BOOST_CHECK_EXCEPTION(
      static_cast<void>(find_baseline(folder.path(), "NVIDIA H100", "rmsnorm", "rmsnorm.decode-1.bf16")), Error,
      misplaced);
}

BOOST_AUTO_TEST_SUITE_END()
