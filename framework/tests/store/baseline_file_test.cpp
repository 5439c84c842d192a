#include <boost/test/unit_test.hpp>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <sstream>
#include <string>

#include "opgate/error.hpp"
#include "store/baseline_file.hpp"
#include "store/baseline_file_sample.hpp"
#include "store/fixtures.hpp"

using namespace opgate;
using namespace opgate::store;
using namespace opgate::store::test;

BOOST_AUTO_TEST_SUITE(baseline_file)

BOOST_AUTO_TEST_CASE(every_field_survives) {
  const TemporaryFolder folder;
  const BaselineFile file = sample();
  const fs::path path = baseline_path(folder.path(), file.device_name, file.op);
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
  const TemporaryFolder folder;
  BaselineFile file = sample();
  auto& identity = file.cases.begin()->second.baseline.identity;
  identity.flops.reset();
  identity.bytes_read.reset();
  identity.bytes_written.reset();
  identity.params.clear();
  file.cases.begin()->second.baseline.model = {};
  file.cases.begin()->second.baseline.units.clear();
  file.cases.begin()->second.baseline.units[""].time = core::MetricBaseline{{7}, 7, 0};
  save_baseline_file(file, folder.path() / "a.json");
  const auto loaded = load_baseline_file(folder.path() / "a.json");
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
      "conditions": {"cuda": "", "driver_branch": "", "flush": "", "launch": "", "pacing": "", "processes": "", "protocol": "", "timing": ""},
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
  const TemporaryFolder folder;
  const fs::path path = folder.path() / "rmsnorm.json";
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
  const TemporaryFolder folder;
  const fs::path path = folder.path() / "rmsnorm.json";
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

BOOST_AUTO_TEST_CASE(processes_are_told_unless_it_is_one) {
  const TemporaryFolder folder;
  const fs::path path = folder.path() / "rmsnorm.json";
  BaselineFile file = sample();
  for (const std::string processes : {"1", "4", ""}) {
    for (auto& [name, item] : file.cases) {
      item.baseline.conditions.processes = processes;
    }
    save_baseline_file(file, path);
    BOOST_TEST(load_baseline_file(path)->cases.begin()->second.baseline.conditions.processes == processes);
    BOOST_TEST((read(path).find("processes") == std::string::npos) == (processes == "1"));
  }
}

BOOST_AUTO_TEST_CASE(a_share_that_older_files_rounded_above_1_is_1) {
  const TemporaryFolder folder;
  const fs::path path = folder.path() / "rmsnorm.json";
  std::string text = format_baseline_file(sample());
  const std::string share = "\"1 x add<float, 4>\": 0.25";
  for (std::size_t at = text.find(share); at != std::string::npos; at = text.find(share)) {
    text.replace(at, share.size(), "\"1 x add<float, 4>\": 1.0000000000000002");
  }
  write(path, text);
  const auto model = load_baseline_file(path)->cases.begin()->second.baseline.model;
  BOOST_TEST(model.group_shares.at("1 x add<float, 4>") == 1);
}

BOOST_AUTO_TEST_CASE(a_missing_file_is_no_baseline) {
  const TemporaryFolder folder;
  BOOST_TEST(!load_baseline_file(folder.path() / "none.json").has_value());
  BOOST_TEST(!load_baseline_file(folder.path() / "none" / "none.json").has_value());
  BOOST_TEST(!find_baseline(folder.path(), "NVIDIA H200", "gemm", "gemm.a.f16").has_value());
}

BOOST_AUTO_TEST_CASE(the_format_without_origins_is_read_as_ever) {
  const TemporaryFolder folder;
  BaselineFile file = sample();
  for (auto& [name, entry] : file.cases) {
    for (core::UnitBaseline* unit : {&entry.baseline.model, &entry.baseline.units["GPU-b"]}) {
      unit->origin.reset();
      unit->subtick.reset();
      unit->libraries.clear();
    }
  }
  const std::string text = format_baseline_file(file);
  write(folder.path() / "a.json", replaced(text, "\"version\": 2", "\"version\": 1"));
  BOOST_TEST(format_baseline_file(load_baseline_file(folder.path() / "a.json").value()) == text);
}

BOOST_AUTO_TEST_CASE(windows_line_ends_are_read) {
  const TemporaryFolder folder;
  std::string text;
  for (const char c : format_baseline_file(sample())) text += c == '\n' ? std::string("\r\n") : std::string(1, c);
  write(folder.path() / "a.json", text);
  BOOST_TEST(format_baseline_file(load_baseline_file(folder.path() / "a.json").value()) ==
             format_baseline_file(sample()));
}

BOOST_AUTO_TEST_CASE(a_case_is_found_by_device_op_and_name) {
  const TemporaryFolder folder;
  save_baseline_file(sample(), baseline_path(folder.path(), "NVIDIA H200", "rmsnorm"));
  const auto found = find_baseline(folder.path(), "NVIDIA H200", "rmsnorm", "rmsnorm.decode-1.bf16");
  BOOST_REQUIRE(found.has_value());
  BOOST_TEST(found->baseline.identity.workload == "decode-1");
  BOOST_TEST(!find_baseline(folder.path(), "NVIDIA H200", "rmsnorm", "rmsnorm.decode-1.f16").has_value());
  BOOST_TEST(!find_baseline(folder.path(), "NVIDIA H100", "rmsnorm", "rmsnorm.decode-1.bf16").has_value());
}

BOOST_AUTO_TEST_CASE(bytes_that_are_known_as_a_sum_only_are_kept) {
  BaselineFile file = test::sample();
  for (auto& [name, entry] : file.cases) entry.baseline.identity.bytes = 7.5;
  const BaselineFile back = parse_baseline_file(format_baseline_file(file), "b.json");
  for (const auto& [name, entry] : back.cases) BOOST_TEST(entry.baseline.identity.bytes.value() == 7.5);
  BOOST_TEST(format_baseline_file(back) == format_baseline_file(file));
}

BOOST_AUTO_TEST_SUITE_END()
