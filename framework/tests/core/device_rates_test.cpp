#include "core/device_rates.hpp"

#include <boost/test/unit_test.hpp>

using namespace opgate;
using namespace opgate::core;

namespace {

DeviceIdentity h200() {
  DeviceIdentity device;
  device.name = "NVIDIA H200";
  device.sm_count = 132;
  device.l2_bytes = 60'000'000;
  device.max_sm_mhz = 1980;
  return device;
}

CaseIdentity moving(double read, double written) {
  CaseIdentity identity;
  identity.dtype = "bf16";
  identity.bytes_read = read;
  identity.bytes_written = written;
  return identity;
}

CaseIdentity computing(double flops, const std::string& dtype) {
  CaseIdentity identity;
  identity.dtype = dtype;
  identity.flops = flops;
  return identity;
}

bool impossible(const CaseIdentity& identity, double busy_ns, std::optional<double> mhz = 1980,
                Flush flush = Flush::read) {
  const std::optional<Issue> issue = impossible_rate(identity, h200(), busy_ns, mhz, flush);
  if (issue) {
    BOOST_TEST((issue->kind == ErrorKind::impossible));
    BOOST_TEST(!issue->remedy.empty());
  }
  return issue.has_value();
}

}  // namespace

BOOST_AUTO_TEST_SUITE(device_rates)

BOOST_AUTO_TEST_CASE(reads_above_the_memorys_rate_are_impossible) {
  BOOST_TEST(!impossible(moving(4.9e9, 0), 1e6));
  BOOST_TEST(impossible(moving(4.95e9, 0), 1e6));
}

// An op of 52 MB read 4.95 TB/s in a published night: what it wrote fitted into L2.
BOOST_AUTO_TEST_CASE(writes_count_only_beyond_l2) {
  const CaseIdentity fits = moving(26e6, 26e6);
  BOOST_TEST(!impossible(fits, 10'500));
  BOOST_TEST(rate_note(fits, h200(), 10'500).find("stayed in L2") != std::string::npos);
  BOOST_TEST(rate_note(fits, h200(), 20'000).empty());
  BOOST_TEST(impossible(moving(1e9, 4.2e9), 1e6));
  BOOST_TEST(!impossible(moving(1e9, 3.9e9), 1e6));
}

BOOST_AUTO_TEST_CASE(without_a_flush_reads_may_come_from_l2) {
  BOOST_TEST(!impossible(moving(26e6, 0), 4'000, 1980, Flush::none));
  BOOST_TEST(impossible(moving(26e6, 0), 4'000, 1980, Flush::memset));
}

BOOST_AUTO_TEST_CASE(flops_are_held_against_the_sampled_clock) {
  // 132 SMs x 4096 x 1.98 GHz = 1070.5 TFLOP/s
  BOOST_TEST(!impossible(computing(1.07e12, "bf16"), 1e6));
  BOOST_TEST(impossible(computing(1.08e12, "bf16"), 1e6));
  BOOST_TEST(impossible(computing(1.0e12, "bf16"), 1e6, 1500.0));
  BOOST_TEST(impossible(computing(1.08e12, "bf16"), 1e6, std::nullopt));  // the highest clock
  BOOST_TEST(!impossible(computing(1.08e12, "f8e4m3"), 1e6));
  BOOST_TEST(impossible(computing(0.6e12, "f32"), 1e6));
  BOOST_TEST(impossible(computing(0.08e12, "f64"), 1e6));
}

BOOST_AUTO_TEST_CASE(an_unknown_device_or_an_unknown_amount_is_not_judged) {
  DeviceIdentity device = h200();
  device.name = "NVIDIA Something";
  BOOST_TEST(!impossible_rate(moving(1e12, 0), device, 1e3, 1980, Flush::read).has_value());
  CaseIdentity unknown;
  unknown.dtype = "f32";
  BOOST_TEST(!impossible(unknown, 100));
}

BOOST_AUTO_TEST_SUITE_END()
