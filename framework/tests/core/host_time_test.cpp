#include "core/host_time.hpp"

#include <boost/test/unit_test.hpp>
#include <limits>

#include "phase_builder.hpp"

using namespace opgate;
using namespace opgate::core;

namespace {

constexpr std::int64_t kLimitNs = 50'000;

// Iteration i: the opening probe is launched at i s + 1 us, the kernel ends at i s + 22 us, the drain lasts from 10 to
// 30 us, and the host then takes so long until it launches the closing probe.
struct Drained : PhaseBuilder {
  void iteration(std::uint32_t i, std::int64_t host_ns) {
    const std::int64_t origin_ns = origin_of(i);
    const std::uint32_t id = 1 + 3 * i;
    kernel(origin_ns + 2'000, origin_ns + 18'000, id, 1);
    launched(id, origin_ns + 1'000);
    label(id, kOpeningProbe | i);
    kernel(origin_ns + 20'000, origin_ns + 22'000, id + 1);
    launched(id + 1, origin_ns + 3'000);
    label(id + 1, i);
    kernel(origin_ns + 40'000 + host_ns, origin_ns + 56'000 + host_ns, id + 2, 1);
    launched(id + 2, origin_ns + 30'000 + host_ns);
    label(id + 2, kClosingProbe | i);
    records.drains.push_back(Drain{origin_ns + 10'000, origin_ns + 30'000});
    ++iterations;
  }
  void launched(std::uint32_t id, std::int64_t start_ns) {
    Record& record = api(id, 1);
    record.start_ns = start_ns;
    record.end_ns = start_ns + 1'000;
  }
  static std::int64_t origin_of(std::uint32_t i) { return 1'000'000'000 * std::int64_t{i + 1}; }
  [[nodiscard]] std::int64_t time_ns(std::int64_t limit_ns = kLimitNs) const {
    return host_time_ns(records, read(iterations), {kKind, kNonce, iterations, false}, limit_ns);
  }

  int iterations = 0;
};

Drained one(std::int64_t host_ns = 300'000) {
  Drained phase;
  phase.iteration(0, host_ns);
  return phase;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(host_time)

BOOST_AUTO_TEST_CASE(it_lasts_from_the_drain_to_the_launch_of_the_closing_probe) {
  BOOST_TEST(one().time_ns() == 300'000);
  BOOST_TEST(one(0).time_ns() == 0);
}

BOOST_AUTO_TEST_CASE(the_median_call_counts_and_one_that_was_not_drained_counts_as_0) {
  Drained phase;
  const std::vector<std::int64_t> times_ns{900'000'000, 310'000, 900'000'000, 300'000, 305'000};
  for (std::uint32_t i = 0; i < times_ns.size(); ++i) {
    phase.iteration(i, times_ns[i]);
  }
  BOOST_TEST(phase.time_ns() == 310'000);
  phase.records.drains[1].reset();
  BOOST_TEST(phase.time_ns() == 305'000);
  phase.records.drains[3].reset();
  phase.records.drains[4].reset();
  BOOST_TEST(phase.time_ns() == 0);
  Drained even;  // the lesser of two
  even.iteration(0, 900'000);
  even.iteration(1, 300'000);
  BOOST_TEST(even.time_ns() == 300'000);
}

BOOST_AUTO_TEST_CASE(a_drain_that_goes_on_after_all_recorded_work_hides_some) {
  BOOST_TEST(one().time_ns(8'000) == 300'000);  // from the end of the kernel at 22 us to 30 us
  BOOST_TEST(one().time_ns(7'999) == 0);
  Drained late = one();  // a host that comes when the kernel is over: from 25 to 30 us
  late.records.drains[0]->begun_ns += 15'000;
  BOOST_TEST(late.time_ns(5'000) == 300'000);
  BOOST_TEST(late.time_ns(4'999) == 0);
  BOOST_TEST(one().time_ns(-1) == 0);
}

BOOST_AUTO_TEST_CASE(work_that_ends_after_the_drain_is_not_the_hosts) {
  Drained phase = one();
  phase.kernel(Drained::origin_of(0) + 100'000, Drained::origin_of(0) + 130'000, 2);
  BOOST_TEST(phase.time_ns() == 200'000);
}

BOOST_AUTO_TEST_CASE(times_that_do_not_lie_between_the_probes_are_another_clocks) {
  const std::int64_t origin_ns = Drained::origin_of(0);
  Drained phase = one();
  phase.records.drains[0] = Drain{origin_ns + 1'000, origin_ns + 30'000};
  BOOST_TEST(phase.time_ns() == 300'000);
  for (const Drain& drain :
       {Drain{origin_ns + 999, origin_ns + 30'000}, Drain{origin_ns + 30'001, origin_ns + 30'000},
        Drain{origin_ns + 331'000, origin_ns + 331'000}, Drain{-5'000, 30'000},
        Drain{std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::int64_t>::max()}}) {
    phase.records.drains[0] = drain;
    BOOST_TEST(phase.time_ns() == 0);
  }
  BOOST_TEST(one(60'000'000'000).time_ns() == 60'000'000'000);
  BOOST_TEST(one(60'000'000'001).time_ns() == 0);
}

BOOST_AUTO_TEST_CASE(a_second_context_of_a_device_is_not_known_to_be_idle) {
  Drained phase = one();
  phase.kernel(Drained::origin_of(0) + 20'000, Drained::origin_of(0) + 22'000, 2, 0, 1).context_id = 2;
  BOOST_TEST(phase.time_ns() == 300'000);  // of another device
  phase.kernel(Drained::origin_of(0) + 20'000, Drained::origin_of(0) + 22'000, 2, 0, 1).context_id = 3;
  BOOST_TEST(phase.time_ns() == 0);
}

BOOST_AUTO_TEST_CASE(nothing_is_known_without_drains_launches_or_a_sound_phase) {
  Drained phase = one();
  phase.records.drains.clear();
  BOOST_TEST(phase.time_ns() == 0);
  phase = one();
  phase.records.drains.emplace_back();
  BOOST_TEST(phase.time_ns() == 0);
  for (const std::uint32_t probe : {1U, 3U}) {
    phase = one();
    std::erase_if(phase.records.buffers[0], [probe](const Record& record) {
      return record.kind == RecordKind::api && record.correlation_id == probe;
    });
    BOOST_TEST(phase.time_ns() == 0);
  }
  phase = one();
  phase.records.dropped = 1;
  BOOST_TEST(phase.time_ns() == 0);
  BOOST_TEST(host_time_ns({}, {}, {kKind, kNonce, 0, false}, kLimitNs) == 0);
}

BOOST_AUTO_TEST_SUITE_END()
