#include "core/ceiling_checks.hpp"

#include <boost/test/unit_test.hpp>

using namespace opgate::core;

namespace {

DeviceIdentity h200() {
  DeviceIdentity device;
  device.name = "NVIDIA H200";
  device.sm_count = 132;
  device.l2_bytes = 60'000'000;
  device.compute_capability = 90;
  device.max_sm_mhz = 1980;
  return device;
}

constexpr double kCopied = 2.0 * 512 * 1024 * 1024;

CeilingReading copy_reading() {
  return {.work = kCopied, .medians_ns = {256'000, 255'000, 258'000}, .sm_mhz = {1980, 1980, 1965}};
}

double figure(const Check& check, const std::string& name) {
  for (const Figure& one : check.figures) {
    if (one.name == name) return one.value;
  }
  return -1;
}

bool says(const Check& check, const std::string& words) {
  return check.detail.find(words) != std::string::npos;
}

const auto kClose = boost::test_tools::tolerance(1e-9);

}  // namespace

BOOST_AUTO_TEST_SUITE(ceiling_checks)

BOOST_AUTO_TEST_CASE(the_copy_is_held_against_the_memorys_peak) {
  const Check check = judge_ceiling(h200(), copy_reading());
  BOOST_TEST((check.health == Health::ok));
  BOOST_TEST(check.name == "ceiling.copy");
  BOOST_TEST(figure(check, "per_s") == kCopied / 256e-6, kClose);
  BOOST_TEST(figure(check, "percent_of_peak") == 100 * kCopied / 256'000 / 4917, kClose);
  BOOST_TEST(figure(check, "sm_mhz") == 1980);
  BOOST_TEST(check.detail ==
             "4.194 TB/s read and written, 85.3 % of the peak of 4.917, SM clock 1980 MHz; 3 readings within 1.2 %");
  const auto rate = rate_of(check);
  BOOST_REQUIRE(rate.has_value());
  BOOST_TEST(rate->per_ns == kCopied / 256'000, kClose);
  BOOST_TEST(rate->sm_mhz.value() == 1980);
}

BOOST_AUTO_TEST_CASE(the_tensor_cores_are_held_against_the_highest_and_the_actual_clock) {
  // 132 SMs x 4096 x 1.584 GHz x 0.95 are 76 % of the peak at 1.98 GHz
  const double flops = 132 * 4096 * 1.584 * 0.95 * 2e6;
  const Check check = judge_ceiling(h200(), {.dtype = "bf16", .work = flops, .medians_ns = {2e6}, .sm_mhz = {1584}});
  BOOST_TEST(check.name == "ceiling.bf16");
  BOOST_TEST(figure(check, "percent_of_peak") == 76.0, kClose);
  BOOST_TEST(figure(check, "percent_of_peak_at_clock") == 95.0, kClose);
  BOOST_TEST(
      says(check, "TFLOP/s, 76.0 % of the peak of 1070.5, SM clock 1584 MHz (95.0 % of what is possible at it)"));
  const Check e4m3 = judge_ceiling(h200(), {.dtype = "f8e4m3", .work = flops, .medians_ns = {2e6}, .sm_mhz = {}});
  BOOST_TEST(figure(e4m3, "percent_of_peak") == 38.0, kClose);
  BOOST_TEST(!rate_of(e4m3).value().sm_mhz.has_value());
}

BOOST_AUTO_TEST_CASE(more_than_the_device_can_do_is_no_ceiling) {
  CeilingReading copy = copy_reading();
  copy.medians_ns = {200'000};
  const Check check = judge_ceiling(h200(), copy);
  BOOST_TEST((check.health == Health::fail));
  BOOST_TEST(check.figures.empty());
  BOOST_TEST(!check.remedy.empty());
  BOOST_TEST(!rate_of(check).has_value());
  const double flops = 132 * 4096 * 1.98 * 2e6;
  BOOST_TEST(
      (judge_ceiling(h200(), {.dtype = "bf16", .work = flops * 1.01, .medians_ns = {2e6}, .sm_mhz = {}}).health ==
       Health::fail));
  BOOST_TEST(
      (judge_ceiling(h200(), {.dtype = "bf16", .work = flops * 0.99, .medians_ns = {2e6}, .sm_mhz = {}}).health ==
       Health::ok));
}

BOOST_AUTO_TEST_CASE(no_reading_is_no_rate) {
  CeilingReading reading = copy_reading();
  reading.medians_ns.clear();
  BOOST_TEST((judge_ceiling(h200(), reading).health == Health::fail));
  reading.medians_ns = {256'000, 0};
  BOOST_TEST((judge_ceiling(h200(), reading).health == Health::fail));
}

BOOST_AUTO_TEST_CASE(a_device_that_the_table_does_not_know_has_a_rate_alone) {
  DeviceIdentity device = h200();
  device.name = "NVIDIA Something";
  const Check check = judge_ceiling(device, copy_reading());
  BOOST_TEST((check.health == Health::ok));
  BOOST_TEST(figure(check, "percent_of_peak") == -1);
  BOOST_TEST(says(check, "not in the table"));
  BOOST_TEST(rate_of(check).has_value());
}

BOOST_AUTO_TEST_CASE(another_architecture_is_refused_without_a_number) {
  DeviceIdentity a100 = h200();
  a100.name = "NVIDIA A100-SXM4-80GB";
  a100.compute_capability = 80;
  const Check check = no_tensor_ceiling(a100, "f8e4m3");
  BOOST_TEST((check.health == Health::unknown));
  BOOST_TEST(check.name == "ceiling.f8e4m3");
  BOOST_TEST(says(check, "has 8.0"));
  BOOST_TEST(check.figures.empty());
  BOOST_TEST(!check.remedy.empty());
  BOOST_TEST(!rate_of(check).has_value());
}

BOOST_AUTO_TEST_CASE(each_check_fills_its_own_ceiling) {
  Ceilings ceilings;
  take_ceiling(judge_ceiling(h200(), copy_reading()), ceilings);
  BOOST_TEST((ceilings.copy.has_value() && !ceilings.half && !ceilings.f8));
  take_ceiling(judge_ceiling(h200(), {.dtype = "bf16", .work = 1e12, .medians_ns = {2e6}, .sm_mhz = {}}), ceilings);
  take_ceiling(judge_ceiling(h200(), {.dtype = "f8e4m3", .work = 3e12, .medians_ns = {2e6}, .sm_mhz = {}}), ceilings);
  BOOST_TEST(ceilings.half.value().per_ns == 5e5, kClose);
  BOOST_TEST(ceilings.f8.value().per_ns == 1.5e6, kClose);
  take_ceiling(no_tensor_ceiling(h200(), "bf16"), ceilings);
  BOOST_TEST(!ceilings.half.has_value());
}

BOOST_AUTO_TEST_CASE(the_checks_are_those_that_are_expected) {
  const std::vector<std::string> made{judge_ceiling(h200(), copy_reading()).name,
                                      no_tensor_ceiling(h200(), "bf16").name, no_tensor_ceiling(h200(), "f8e4m3").name};
  BOOST_TEST(made == ceiling_check_names(), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_SUITE_END()
