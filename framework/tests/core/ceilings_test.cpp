#include "core/ceilings.hpp"

#include <boost/test/unit_test.hpp>

using namespace opgate::core;

namespace {

constexpr std::int64_t kDay = 1'769'817'600'000;  // 2026-01-31

DeviceIdentity h200() {
  DeviceIdentity device;
  device.name = "NVIDIA H200";
  device.uuid = "GPU-1";
  device.sm_count = 132;
  device.max_sm_mhz = 1980;
  return device;
}

Ceilings measured() {
  return {.unit = "GPU-1",
          .device = "NVIDIA H200",
          .measured_unix_ms = kDay,
          .copy = MeasuredRate{4'000, 1980},
          .half = MeasuredRate{800'000, 1700},
          .f8 = MeasuredRate{1'600'000, 1600}};
}

CaseIdentity work(const std::string& dtype, std::optional<double> flops, std::optional<double> bytes) {
  CaseIdentity identity;
  identity.dtype = dtype;
  identity.flops = flops;
  if (bytes) {
    identity.bytes_read = *bytes / 2;
    identity.bytes_written = *bytes / 2;
  }
  return identity;
}

constexpr double kBusy = 1e6;

std::optional<CeilingShare> share(const CaseIdentity& identity, const std::optional<Ceilings>& ceilings = measured()) {
  return ceiling_share(identity, h200(), kBusy, ceilings);
}

const auto kClose = boost::test_tools::tolerance(1e-9);

}  // namespace

BOOST_AUTO_TEST_SUITE(ceilings)

BOOST_AUTO_TEST_CASE(what_is_used_more_is_the_bound) {
  const auto memory = share(work("bf16", 80e9, 2.84e9));  // 10 % and 71 %
  BOOST_REQUIRE(memory.has_value());
  BOOST_TEST((memory->bound == Bound::memory));
  BOOST_TEST(memory->percent == 71.0, kClose);
  BOOST_TEST(text_of(*memory) == "memory: 71 % of the measured copy bandwidth (2026-01-31)");
  const auto compute = share(work("bf16", 640e9, 2.84e9));  // 80 % and 71 %
  BOOST_REQUIRE(compute.has_value());
  BOOST_TEST((compute->bound == Bound::compute));
  BOOST_TEST(compute->percent == 80.0, kClose);
  BOOST_TEST(text_of(*compute) == "compute: 80 % of the measured bf16 rate (2026-01-31)");
}

BOOST_AUTO_TEST_CASE(each_type_has_its_own_rate) {
  const auto percent = [](const char* dtype) { return share(work(dtype, 160e9, std::nullopt)).value().percent; };
  BOOST_TEST(percent("bf16") == 20.0, kClose);
  BOOST_TEST(percent("f16") == 20.0, kClose);
  BOOST_TEST(percent("f8e4m3") == 10.0, kClose);
  // No loop measures these: 132 SMs x 2048, 256 and 8192 flops x 1.98 GHz.
  BOOST_TEST(percent("f32") == 100 * 160e9 / 1e6 / (132 * 2048 * 1.98), kClose);
  BOOST_TEST(percent("f64") == 100 * 160e9 / 1e6 / (132 * 256 * 1.98), kClose);
  BOOST_TEST(percent("i8") == 100 * 160e9 / 1e6 / (132 * 8192 * 1.98), kClose);
  BOOST_TEST(!share(work("f32", 160e9, std::nullopt))->measured_unix_ms.has_value());
}

BOOST_AUTO_TEST_CASE(without_a_measurement_it_is_the_peak_and_says_so) {
  const auto memory = share(work("bf16", std::nullopt, 4917e6 * 0.64), std::nullopt);
  BOOST_REQUIRE(memory.has_value());
  BOOST_TEST(memory->percent == 64.0, kClose);
  BOOST_TEST(text_of(*memory) == "memory: 64 % of the peak bandwidth");
  const auto compute = share(work("bf16", 0.05 * 132 * 4096 * 1.98e6, std::nullopt), std::nullopt);
  BOOST_TEST(text_of(compute.value()) == "compute: 5.0 % of the peak bf16 rate");
}

BOOST_AUTO_TEST_CASE(another_units_ceilings_are_not_its_own) {
  Ceilings other = measured();
  other.unit = "GPU-2";
  BOOST_TEST(!share(work("bf16", std::nullopt, 1e9), other).value().measured_unix_ms.has_value());
  DeviceIdentity unknown = h200();
  unknown.uuid = "";
  other.unit = "";
  const auto peak = ceiling_share(work("bf16", std::nullopt, 1e9), unknown, kBusy, other);
  BOOST_TEST(!peak.value().measured_unix_ms.has_value());
}

BOOST_AUTO_TEST_CASE(what_was_not_measured_falls_back_alone) {
  Ceilings copy_only = measured();
  copy_only.half.reset();
  BOOST_TEST(share(work("bf16", std::nullopt, 1e9), copy_only)->measured_unix_ms.has_value());
  BOOST_TEST(!share(work("bf16", 640e9, std::nullopt), copy_only)->measured_unix_ms.has_value());
}

BOOST_AUTO_TEST_CASE(no_work_no_time_or_no_device_is_no_percentage) {
  BOOST_TEST(!share(work("bf16", std::nullopt, std::nullopt)).has_value());
  BOOST_TEST(!share(work("bf16", 0.0, 0.0)).has_value());
  BOOST_TEST(!ceiling_share(work("bf16", 1e9, 1e9), h200(), std::nullopt, measured()).has_value());
  BOOST_TEST(!ceiling_share(work("bf16", 1e9, 1e9), h200(), 0.0, measured()).has_value());
  DeviceIdentity other = h200();
  other.name = "NVIDIA Something";
  BOOST_TEST(!ceiling_share(work("bf16", 1e9, 1e9), other, kBusy, std::nullopt).has_value());
  // Measured ceilings need no table.
  BOOST_TEST(ceiling_share(work("bf16", 1e9, 1e9), other, kBusy, measured()).has_value());
}

BOOST_AUTO_TEST_CASE(bytes_that_an_import_does_not_tell_apart_count) {
  CaseIdentity identity;
  identity.bytes = 2e9;
  BOOST_TEST(share(identity).value().percent == 50.0, kClose);
}

BOOST_AUTO_TEST_SUITE_END()
