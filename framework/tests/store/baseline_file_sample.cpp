#include "store/baseline_file_sample.hpp"

#include <boost/test/unit_test.hpp>
#include <cstdint>
#include <fstream>
#include <limits>
#include <sstream>
#include <stdexcept>

#include "opgate/error.hpp"

namespace opgate::store::test {

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
  baseline.conditions = {"NVIDIA H200", "580", "13.0", "opgate-1", "cupti", "read", "direct", "none", "4"};
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

}  // namespace opgate::store::test
