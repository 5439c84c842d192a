#include "store/baseline_file.hpp"

#include <stdlib.h>

#include <boost/test/unit_test.hpp>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <limits>
#include <sstream>
#include <stdexcept>
#include <string>

#include "opgate/error.hpp"

using namespace opgate;
using namespace opgate::store;

namespace fs = std::filesystem;

namespace {

struct Folder {
  Folder() {
    std::string pattern = (fs::temp_directory_path() / "opgate-baseline-XXXXXX").string();
    if (::mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("mkdtemp");
    path = pattern;
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() { fs::remove_all(path); }
  fs::path path;
};

std::string read(const fs::path& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

void write(const fs::path& path, const std::string& text) {
  std::ofstream(path, std::ios::binary) << text;
}

// Every field holds a value of its own, so that none can be lost or exchanged unseen.
BaselineEntry entry(const std::string& workload) {
  core::UnitBaseline unit;
  unit.time = core::MetricBaseline{{1696.032258064516, 1728, 0.1}, 1696.032258064516, 1.0 / 3};
  unit.cycles = core::MetricBaseline{{1700.5, 1701.25}, 1700.875, 0};
  BaselineEntry made;
  auto& baseline = made.baseline;
  baseline.identity = {"rmsnorm." + workload + ".bf16",
                       "rmsnorm",
                       workload,
                       "bf16",
                       {{"rows", INT64_MAX}, {"cols", 4096}},
                       {{"eps", 1e-6}, {"zero", -0.0}},
                       "philox-1 seed 0",
                       "count",
                       1e15,
                       3.0,
                       4.5};
  baseline.conditions = {"NVIDIA H200", "580", "13.0", "opgate-1", "cupti", "read", "direct", "none"};
  baseline.units["GPU-b"] = unit;
  baseline.units["GPU-a"].time = core::MetricBaseline{{5}, 5, 2};
  baseline.model = unit;
  baseline.model.time->noise_ns = std::numeric_limits<double>::max();
  baseline.model.subtick = core::MetricBaseline{{1697.25, 1698}, 1697.625, 0.25};
  baseline.model.origin = core::Origin{1695.5, 3400.125, "2025-12-01T00:00:00Z", "abcd"};
  baseline.units["GPU-b"].origin = core::Origin{1694, std::nullopt, "", ""};
  baseline.model.libraries["cudnn"].time = core::MetricBaseline{{1500, 1501}, 1500.5, 0.75};
  baseline.model.group_shares = {{"1 x add<float, 4>", 0.25}, {"2 x \"sum\"", 0.75}};
  baseline.model.groups["1 x add<float, 4>"].time = core::MetricBaseline{{4703, 4704}, 4703.5, 0.5};
  made.accepted = {
      "A. N. \"Other\" <a@b.c>", "2026-01-02T03:04:05Z", "0123abcd", "faster\nkernel \xC3\xA9", {"u-2", "u-1"}};
  return made;
}

BaselineFile sample() {
  BaselineFile file;
  file.device_name = "NVIDIA H200";
  file.op = "rmsnorm";
  for (const char* workload : {"prefill", "decode-1"}) {
    file.cases[std::string("rmsnorm.") + workload + ".bf16"] = entry(workload);
  }
  return file;
}

void check_equal(const core::MetricBaseline& a, const core::MetricBaseline& b) {
  BOOST_TEST(a.run_medians_ns == b.run_medians_ns, boost::test_tools::per_element());
  BOOST_TEST(a.centre_ns == b.centre_ns);
  BOOST_TEST(a.noise_ns == b.noise_ns);
}

void check_equal(const core::UnitBaseline& a, const core::UnitBaseline& b) {
  BOOST_REQUIRE(a.time.has_value() == b.time.has_value());
  BOOST_REQUIRE(a.cycles.has_value() == b.cycles.has_value());
  if (a.time) check_equal(*a.time, *b.time);
  if (a.cycles) check_equal(*a.cycles, *b.cycles);
  BOOST_TEST((a.group_shares == b.group_shares));
  BOOST_REQUIRE(a.groups.size() == b.groups.size());
  for (const auto& [name, group] : a.groups) check_equal(group, b.groups.at(name));
  BOOST_REQUIRE(a.libraries.size() == b.libraries.size());
  for (const auto& [name, library] : a.libraries) check_equal(library, b.libraries.at(name));
  BOOST_REQUIRE(a.subtick.has_value() == b.subtick.has_value());
  if (a.subtick) check_equal(*a.subtick, *b.subtick);
  BOOST_TEST((a.origin == b.origin));
}

void check_equal(const BaselineEntry& a, const BaselineEntry& b) {
  BOOST_TEST((a.baseline.identity == b.baseline.identity));
  BOOST_TEST((a.baseline.conditions == b.baseline.conditions));
  BOOST_REQUIRE(a.baseline.units.size() == b.baseline.units.size());
  for (const auto& [uuid, unit] : a.baseline.units) check_equal(unit, b.baseline.units.at(uuid));
  check_equal(a.baseline.model, b.baseline.model);
  BOOST_TEST(a.accepted.who == b.accepted.who);
  BOOST_TEST(a.accepted.when == b.accepted.when);
  BOOST_TEST(a.accepted.commit == b.accepted.commit);
  BOOST_TEST(a.accepted.reason == b.accepted.reason);
  BOOST_TEST(a.accepted.run_uuids == b.accepted.run_uuids, boost::test_tools::per_element());
}

void check_refused(const fs::path& path, const std::string& text, const std::string& place, const std::string& part) {
  write(path, text);
  std::string message = "accepted";
  try {
    static_cast<void>(load_baseline_file(path));
  } catch (const Error& error) {
    message = error.what();
    BOOST_TEST((error.kind() == ErrorKind::baseline));
  }
  BOOST_TEST(message.starts_with(path.string() + place), message);
  BOOST_TEST(message.find(part) != std::string::npos, part << " is not in " << message);
  BOOST_TEST(message.find("\n  fix: ") != std::string::npos, message);
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  if (at == std::string::npos) throw std::runtime_error(from + " is not in the text");
  return text.replace(at, from.size(), to);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(baseline_file)

BOOST_AUTO_TEST_CASE(every_field_survives) {
  const Folder folder;
  const BaselineFile file = sample();
  const fs::path path = baseline_path(folder.path, file.device_name, file.op);
  save_baseline_file(file, path);
  const auto loaded = load_baseline_file(path);
  BOOST_REQUIRE(loaded.has_value());
  BOOST_TEST(loaded->device_name == file.device_name);
  BOOST_TEST(loaded->op == file.op);
  BOOST_REQUIRE(loaded->cases.size() == file.cases.size());
  for (const auto& [name, expected] : file.cases) check_equal(expected, loaded->cases.at(name));
  BOOST_TEST(format_baseline_file(*loaded) == read(path));
}

BOOST_AUTO_TEST_CASE(absent_fields_stay_absent) {
  const Folder folder;
  BaselineFile file = sample();
  auto& identity = file.cases.begin()->second.baseline.identity;
  identity.flops.reset();
  identity.bytes_read.reset();
  identity.bytes_written.reset();
  identity.params.clear();
  file.cases.begin()->second.baseline.model = {};
  file.cases.begin()->second.baseline.units.clear();
  file.cases.begin()->second.baseline.units[""].time = core::MetricBaseline{{7}, 7, 0};
  save_baseline_file(file, folder.path / "a.json");
  const auto loaded = load_baseline_file(folder.path / "a.json");
  check_equal(file.cases.begin()->second, loaded.value().cases.begin()->second);
}

BOOST_AUTO_TEST_CASE(the_text_is_stable_and_changes_by_lines) {
  BaselineFile file = sample();
  const std::string before = format_baseline_file(file);
  BOOST_TEST(before == format_baseline_file(sample()));
  BOOST_TEST(before.ends_with("\n"));
  file.cases["rmsnorm.prefill.bf16"].baseline.units["GPU-a"].time->noise_ns = 3;
  const std::string after = format_baseline_file(file);
  std::istringstream a(before);
  std::istringstream b(after);
  std::string line_a;
  std::string line_b;
  int changed = 0;
  while (std::getline(a, line_a) && std::getline(b, line_b)) {
    if (line_a == line_b) continue;
    ++changed;
    BOOST_TEST(line_a ==
               "        \"GPU-a\": {\"time\": {\"centre_ns\": 5, \"noise_ns\": 2, \"run_medians_ns\": [5]}},");
    BOOST_TEST(line_b ==
               "        \"GPU-a\": {\"time\": {\"centre_ns\": 5, \"noise_ns\": 3, \"run_medians_ns\": [5]}},");
  }
  BOOST_TEST(changed == 1);
}

BOOST_AUTO_TEST_CASE(the_text_as_it_stands) {
  BaselineFile file;
  file.device_name = "NVIDIA H200";
  file.op = "add";
  BOOST_TEST(format_baseline_file(file) ==
             "{\n  \"cases\": {},\n  \"device\": \"NVIDIA H200\",\n  \"op\": \"add\",\n  \"version\": 2\n}\n");
  BaselineEntry& item = file.cases["add.a.f32"];
  item.baseline.identity.name = "add.a.f32";
  item.baseline.identity.op = "add";
  item.baseline.conditions.device_name = "NVIDIA H200";
  item.baseline.model.time = core::MetricBaseline{{5, 7}, 6, 1.5};
  BOOST_TEST(format_baseline_file(file) == R"({
  "cases": {
    "add.a.f32": {
      "accepted": {"commit": "", "reason": "", "run_uuids": [], "when": "", "who": ""},
      "conditions": {"cuda": "", "driver_branch": "", "flush": "", "launch": "", "pacing": "", "protocol": "", "timing": ""},
      "identity": {"copies": "forbid", "dimensions": {}, "dtype": "", "generator": "", "params": {}, "workload": ""},
      "model": {"time": {"centre_ns": 6, "noise_ns": 1.5, "run_medians_ns": [5, 7]}},
      "units": {}
    }
  },
  "device": "NVIDIA H200",
  "op": "add",
  "version": 2
}
)");
}

BOOST_AUTO_TEST_CASE(whether_kernels_overlap_is_kept_where_it_is_known) {
  const Folder folder;
  const fs::path path = folder.path / "rmsnorm.json";
  BaselineFile file = sample();
  std::optional<bool>& overlap = file.cases.begin()->second.baseline.kernels_overlap;
  for (const std::optional<bool> known : {std::optional<bool>{}, std::optional(true), std::optional(false)}) {
    overlap = known;
    save_baseline_file(file, path);
    BOOST_TEST((load_baseline_file(path)->cases.begin()->second.baseline.kernels_overlap == known));
    const bool told = format_baseline_file(file).find("kernels_overlap") != std::string::npos;
    BOOST_TEST(told == known.has_value());
  }
}

BOOST_AUTO_TEST_CASE(a_file_without_words_for_launch_and_pacing_was_direct_and_not_paced) {
  const Folder folder;
  const fs::path path = folder.path / "rmsnorm.json";
  BaselineFile file = sample();
  for (auto& [name, item] : file.cases) {
    item.baseline.conditions.launch = "direct";
    item.baseline.conditions.pacing = "none";
  }
  std::string older = format_baseline_file(file);
  for (const std::string word : {"\"launch\": \"direct\", ", "\"pacing\": \"none\", "}) {
    for (std::size_t at = older.find(word); at != std::string::npos; at = older.find(word)) {
      older.erase(at, word.size());
    }
  }
  BOOST_REQUIRE(older.find("pacing") == std::string::npos);
  write(path, older);
  BOOST_TEST(format_baseline_file(load_baseline_file(path).value()) == format_baseline_file(file));
}

BOOST_AUTO_TEST_CASE(a_missing_file_is_no_baseline) {
  const Folder folder;
  BOOST_TEST(!load_baseline_file(folder.path / "none.json").has_value());
  BOOST_TEST(!load_baseline_file(folder.path / "none" / "none.json").has_value());
  BOOST_TEST(!find_baseline(folder.path, "NVIDIA H200", "gemm", "gemm.a.f16").has_value());
}

BOOST_AUTO_TEST_CASE(what_cannot_be_read_is_an_error_and_not_no_baseline) {
  const Folder folder;
  BOOST_CHECK_EXCEPTION(static_cast<void>(load_baseline_file(folder.path)), Error,
                        [](const Error& error) { return error.kind() == ErrorKind::baseline; });
  const auto unreadable = [](const Error& error) { return error.summary().starts_with("cannot read: "); };
  fs::create_symlink(folder.path / "nothing", folder.path / "link.json");
  BOOST_CHECK_EXCEPTION(static_cast<void>(load_baseline_file(folder.path / "link.json")), Error, unreadable);
  write(folder.path / "nvidia-h200", "a file\n");
  BOOST_CHECK_EXCEPTION(static_cast<void>(find_baseline(folder.path, "NVIDIA H200", "gemm", "gemm.a.f16")), Error,
                        unreadable);
}

BOOST_AUTO_TEST_CASE(malformed_files_name_line_and_fix) {
  const Folder folder;
  const fs::path path = folder.path / "rmsnorm.json";
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

BOOST_AUTO_TEST_CASE(the_format_without_origins_is_read_as_ever) {
  const Folder folder;
  BaselineFile file = sample();
  for (auto& [name, entry] : file.cases) {
    for (core::UnitBaseline* unit : {&entry.baseline.model, &entry.baseline.units["GPU-b"]}) {
      unit->origin.reset();
      unit->subtick.reset();
      unit->libraries.clear();
    }
  }
  const std::string text = format_baseline_file(file);
  write(folder.path / "a.json", replaced(text, "\"version\": 2", "\"version\": 1"));
  BOOST_TEST(format_baseline_file(load_baseline_file(folder.path / "a.json").value()) == text);
}

BOOST_AUTO_TEST_CASE(every_truncation_is_refused) {
  const Folder folder;
  const fs::path path = folder.path / "a.json";
  const std::string good = format_baseline_file(sample());
  for (std::size_t size = 0; size + 1 < good.size(); size += 7) {
    write(path, good.substr(0, size));
    BOOST_CHECK_THROW(static_cast<void>(load_baseline_file(path)), Error);
  }
}

BOOST_AUTO_TEST_CASE(windows_line_ends_are_read) {
  const Folder folder;
  std::string text;
  for (const char c : format_baseline_file(sample())) text += c == '\n' ? std::string("\r\n") : std::string(1, c);
  write(folder.path / "a.json", text);
  BOOST_TEST(format_baseline_file(load_baseline_file(folder.path / "a.json").value()) ==
             format_baseline_file(sample()));
}

BOOST_AUTO_TEST_CASE(nothing_is_written_that_would_not_be_read) {
  const Folder folder;
  const fs::path path = folder.path / "a.json";
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
  const Folder folder;
  const fs::path path = baseline_path(folder.path / "baselines", "NVIDIA H200", "rmsnorm");
  save_baseline_file(sample(), path);
  BOOST_TEST(fs::exists(folder.path / "baselines" / "nvidia-h200" / "rmsnorm.json"));
  write(folder.path / "file", "");
  BOOST_CHECK_EXCEPTION(
      save_baseline_file(sample(), folder.path / "file" / "x" / "a.json"), Error, [](const Error& error) {
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

BOOST_AUTO_TEST_CASE(a_case_is_found_by_device_op_and_name) {
  const Folder folder;
  save_baseline_file(sample(), baseline_path(folder.path, "NVIDIA H200", "rmsnorm"));
  const auto found = find_baseline(folder.path, "NVIDIA H200", "rmsnorm", "rmsnorm.decode-1.bf16");
  BOOST_REQUIRE(found.has_value());
  BOOST_TEST(found->baseline.identity.workload == "decode-1");
  BOOST_TEST(!find_baseline(folder.path, "NVIDIA H200", "rmsnorm", "rmsnorm.decode-1.f16").has_value());
  BOOST_TEST(!find_baseline(folder.path, "NVIDIA H100", "rmsnorm", "rmsnorm.decode-1.bf16").has_value());
}

BOOST_AUTO_TEST_CASE(a_file_in_the_place_of_another_is_an_error) {
  const Folder folder;
  save_baseline_file(sample(), baseline_path(folder.path, "NVIDIA H200", "gemm"));
  save_baseline_file(sample(), baseline_path(folder.path, "NVIDIA H100", "rmsnorm"));
  const auto misplaced = [](const Error& error) {
    return error.kind() == ErrorKind::baseline && error.summary().starts_with("holds baselines of op \"rmsnorm\" on");
  };
  BOOST_CHECK_EXCEPTION(static_cast<void>(find_baseline(folder.path, "NVIDIA H200", "gemm", "gemm.a.f16")), Error,
                        misplaced);
  BOOST_CHECK_EXCEPTION(
      static_cast<void>(find_baseline(folder.path, "NVIDIA H100", "rmsnorm", "rmsnorm.decode-1.bf16")), Error,
      misplaced);
}

BOOST_AUTO_TEST_SUITE_END()
