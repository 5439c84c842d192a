#include "store/sample_codec.hpp"

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <limits>
#include <random>
#include <tuple>

#include "store/column_codec.hpp"

namespace {

using opgate::Error;
using opgate::ErrorKind;
using opgate::Sample;
using opgate::store::decode_samples;
using opgate::store::encode_samples;

auto fields(const Sample& s) {
  return std::tuple(s.busy_ns, s.latency_ns, s.gap_ns, s.n_kernels, s.sm_mhz, s.group, s.work_ns);
}

void check_round_trip(const std::vector<Sample>& samples) {
  const std::vector<Sample> back = decode_samples(encode_samples(samples));
  BOOST_REQUIRE_EQUAL(back.size(), samples.size());
  for (std::size_t i = 0; i < samples.size(); ++i) {
    BOOST_REQUIRE(fields(back[i]) == fields(samples[i]));
  }
}

bool is_refused(const std::vector<std::byte>& blob) {
  try {
    static_cast<void>(decode_samples(blob));
    return false;
  } catch (const Error& error) {
    return error.kind() == ErrorKind::history;
  }
}

double bytes_per_sample(const std::vector<Sample>& samples) {
  return static_cast<double>(encode_samples(samples).size()) / static_cast<double>(samples.size());
}

// A call as it is measured: durations on a 32 ns grid +-1, `spread_ns` wide, with rare late iterations.
std::vector<Sample> measured(std::int64_t busy_ns, double spread_ns, double gap_ns, bool clock_steps) {
  std::mt19937_64 random(7);
  std::normal_distribution<double> noise(0, 1);
  std::vector<Sample> samples;
  std::int32_t mhz = 1980;
  for (int i = 0; i < 200; ++i) {
    const double late = i % 50 == 49 ? 20 * spread_ns : 0;
    const auto ticks =
        static_cast<std::int64_t>((static_cast<double>(busy_ns) + noise(random) * spread_ns + late) / 32);
    const std::int64_t busy = ticks * 32 + static_cast<std::int64_t>(random() % 3) - 1;
    const auto gap = static_cast<std::int64_t>(gap_ns * (1 + 0.1 * noise(random)));
    mhz = clock_steps ? 1980 - 15 * static_cast<std::int32_t>(random() % 30) : mhz;
    samples.push_back({busy, busy + gap, gap, gap_ns > 0 ? 3 : 1, mhz, 0, busy});
  }
  return samples;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(sample_codec)

BOOST_AUTO_TEST_CASE(keeps_no_samples_and_one) {
  check_round_trip({});
  check_round_trip({{1696, 1700, 4, 1, 1980, 0}});
}

BOOST_AUTO_TEST_CASE(keeps_absent_apart_from_zero) {
  check_round_trip({{1, 1, 0, std::nullopt, std::nullopt, 0, std::nullopt},
                    {1, 1, 0, 0, 0, 0, 0},
                    {1, 1, 0, -1, -1, 0, 1},
                    {1, 1, 0, -1, -1, 0, -1}});
}

BOOST_AUTO_TEST_CASE(keeps_the_ends_of_every_type) {
  constexpr auto low = std::numeric_limits<std::int64_t>::min();
  constexpr auto high = std::numeric_limits<std::int64_t>::max();
  constexpr auto low32 = std::numeric_limits<std::int32_t>::min();
  constexpr auto high32 = std::numeric_limits<std::int32_t>::max();
  check_round_trip({{low, high, low, low32, high32, 0, high},
                    {high, low, high, high32, low32, 0xffff'ffffU, low},
                    {0, 0, 0, 0, 0, 1}});
}

BOOST_AUTO_TEST_CASE(keeps_random_samples_of_every_width) {
  std::mt19937_64 random(1);
  for (unsigned width = 1; width < 64; ++width) {
    for (const std::size_t count : {1U, 2U, 3U, 10U, 67U, 200U}) {
      std::vector<Sample> samples;
      for (std::size_t i = 0; i < count; ++i) {
        const auto number = [&] { return static_cast<std::int64_t>(random() >> (64 - width)); };
        const auto small = [&] { return static_cast<std::int32_t>(random() >> (64 - std::min(width, 31U))); };
        const auto maybe = [&] { return random() % 4 == 0 ? std::nullopt : std::optional(small()); };
        samples.push_back({number(), number(), -number(), maybe(), maybe(), static_cast<std::uint32_t>(small())});
      }
      check_round_trip(samples);
    }
  }
}

BOOST_AUTO_TEST_CASE(takes_at_most_four_bytes_a_sample) {
  const auto small_kernel = measured(1696, 20, 0, false);
  const auto three_kernels = measured(17'900, 40, 2'200, false);
  const auto throttled_gemm = measured(1'360'000, 20'000, 0, true);
  for (const auto& samples : {small_kernel, three_kernels, throttled_gemm}) {
    check_round_trip(samples);
    BOOST_TEST(bytes_per_sample(samples) <= 4.0);
  }
  BOOST_TEST(bytes_per_sample(small_kernel) <= 1.5);
}

BOOST_AUTO_TEST_CASE(constant_columns_cost_nothing_a_sample) {
  const std::vector<Sample> samples(200, {2000, 2100, 100, 2, 1980, 0});
  BOOST_TEST(encode_samples(samples).size() < 50U);
}

BOOST_AUTO_TEST_CASE(refuses_every_flipped_bit) {
  const auto blob = encode_samples(measured(17'900, 40, 2'200, true));
  for (std::size_t i = 0; i < blob.size(); ++i) {
    for (unsigned bit = 0; bit < 8; ++bit) {
      auto damaged = blob;
      damaged[i] ^= static_cast<std::byte>(1U << bit);
      BOOST_REQUIRE(is_refused(damaged));
    }
  }
}

BOOST_AUTO_TEST_CASE(refuses_every_truncation_and_what_is_too_long) {
  auto blob = encode_samples(measured(1696, 20, 0, false));
  for (std::size_t size = 0; size < blob.size(); ++size) {
    BOOST_REQUIRE(is_refused({blob.begin(), blob.begin() + static_cast<std::ptrdiff_t>(size)}));
  }
  blob.push_back(std::byte{0});
  BOOST_TEST(is_refused(blob));
}

BOOST_AUTO_TEST_CASE(columns_survive_random_bytes) {
  std::mt19937_64 random(3);
  for (int round = 0; round < 20'000; ++round) {
    std::vector<std::byte> bytes(random() % 40);
    for (std::byte& byte : bytes) {
      byte = static_cast<std::byte>(random());
    }
    if (!bytes.empty()) {
      bytes.front() = static_cast<std::byte>(random() % 4);
    }
    opgate::store::ByteReader reader(bytes);
    const auto values = opgate::store::decode_column(reader, 30);
    BOOST_REQUIRE(reader.failed() || values.size() == 30);
  }
}

BOOST_AUTO_TEST_SUITE_END()
