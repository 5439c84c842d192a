#include "core/probe_checks.hpp"

#include <boost/test/unit_test.hpp>
#include <cstdint>
#include <string>
#include <vector>

using namespace opgate::core;

namespace {

constexpr std::int32_t kTick = 32;
constexpr const char* kH200 = "NVIDIA H200";

// Durations as CUPTI delivers them: multiples of the tick, give or take a nanosecond.
std::vector<std::int64_t> durations(std::int64_t tick, int count = 200) {
  std::vector<std::int64_t> all;
  for (int i = 0; i < count; ++i) {
    const std::int64_t exact = 2'600 + i * 49;
    all.push_back((exact + tick / 2) / tick * tick + (tick > 4 ? i % 3 - 1 : 0));
  }
  return all;
}

bool says(const Check& check, const std::string& words) {
  return check.detail.find(words) != std::string::npos;
}

FormReading form() {
  return {.form = "graph", .kernels = 3, .seen = 3, .busy_ns = 152'000, .plain_ns = 151'500};
}

std::vector<FlushRow> clean_rows() {
  return {{"elementwise 1 MB", 1984, 1696, 1728},
          {"copy 16 MiB", 10'430, 8'320, 8'304},
          {"copy 128 MiB", 69'410, 64'720, 64'800}};
}

// A record carries 0.6 us beside the cycles.
CyclesReading cycles() {
  return {.short_cycles = 20'000,
          .long_cycles = 40'000,
          .short_ns = 10'701,
          .long_ns = 20'802,
          .sm_mhz = {1980, 1979, 1980}};
}

}  // namespace

BOOST_AUTO_TEST_SUITE(probe_checks)

BOOST_AUTO_TEST_CASE(the_tick_is_found_in_durations) {
  for (const std::int32_t tick : {8, 16, 32, 40, 100, 1000, 1024}) {
    BOOST_TEST((measure_tick_ns(durations(tick)) == tick), "tick " << tick);
  }
  BOOST_TEST((measure_tick_ns(durations(1)) == 1));
  BOOST_TEST(!measure_tick_ns(durations(32, 49)));
  std::vector<std::int64_t> with_outlier = durations(32);
  with_outlier.push_back(2'610);
  BOOST_TEST((measure_tick_ns(with_outlier) == 32));
  const std::vector<std::int64_t> zeros(200, 0);
  BOOST_TEST(!measure_tick_ns(zeros));
}

BOOST_AUTO_TEST_CASE(a_tick_other_than_the_known_one_fails) {
  BOOST_TEST((judge_tick(kH200, durations(32)).health == Health::ok));
  const Check wrong = judge_tick(kH200, durations(100));
  BOOST_TEST(wrong.name == "tick");
  BOOST_TEST((wrong.health == Health::fail));
  BOOST_TEST(says(wrong, "step by 100 ns"));
  BOOST_TEST(!wrong.remedy.empty());
  BOOST_TEST((judge_tick(kH200, durations(16)).health == Health::fail));
  // Limits of a verdict are made for 32 ns where the device's own are unknown.
  BOOST_TEST((judge_tick("NVIDIA Something", durations(16)).health == Health::ok));
  BOOST_TEST((judge_tick("NVIDIA Something", durations(1000)).health == Health::fail));
  BOOST_TEST((judge_tick(kH200, {}).health == Health::fail));
}

BOOST_AUTO_TEST_CASE(a_counter_stuck_at_zero_fails) {
  BOOST_TEST((judge_drop_counter({40, 121, 0}).health == Health::ok));
  const Check stuck = judge_drop_counter({40, 0, 0});
  BOOST_TEST(stuck.name == "drop_counter");
  BOOST_TEST((stuck.health == Health::fail));
  BOOST_TEST(says(stuck, "does not count what is lost"));
  BOOST_TEST((judge_drop_counter({40, 39, 0}).health == Health::fail));
  BOOST_TEST((judge_drop_counter({40, std::nullopt, 0}).health == Health::fail));
  BOOST_TEST((judge_drop_counter({40, 121, std::nullopt}).health == Health::fail));
  BOOST_TEST((judge_drop_counter({40, 121, 1}).health == Health::fail));
}

BOOST_AUTO_TEST_CASE(a_launch_form_has_its_kernels_and_the_busy_time_of_plain_launches) {
  BOOST_TEST((judge_form(form(), kTick).health == Health::ok));
  FormReading reading = form();
  reading.seen = 2;
  BOOST_TEST(judge_form(reading, kTick).name == "form.graph");
  BOOST_TEST((judge_form(reading, kTick).health == Health::fail));
  reading.seen.reset();
  BOOST_TEST((judge_form(reading, kTick).health == Health::fail));
  reading = form();
  reading.busy_ns = reading.plain_ns * 1.011;
  BOOST_TEST((judge_form(reading, kTick).health == Health::fail));
  reading.busy_ns = reading.plain_ns * 0.989;
  BOOST_TEST((judge_form(reading, kTick).health == Health::fail));
  // A tick is allowed where 1 % is less.
  reading.plain_ns = 1'600;
  reading.busy_ns = 1'632;
  BOOST_TEST((judge_form(reading, kTick).health == Health::ok));
  reading.plain_ns = 0;
  BOOST_TEST((judge_form(reading, kTick).health == Health::fail));
}

BOOST_AUTO_TEST_CASE(a_hot_cache_fails) {
  BOOST_TEST((judge_flush_clears({70'000, 190'000}).health == Health::ok));
  const Check hot = judge_flush_clears({70'000, 71'000});
  BOOST_TEST(hot.name == "flush.clears");
  BOOST_TEST((hot.health == Health::fail));
  BOOST_TEST((judge_flush_clears({0, 71'000}).health == Health::fail));
}

BOOST_AUTO_TEST_CASE(a_dirty_flush_fails_and_the_table_is_told) {
  const Check clean = judge_flush_clean(clean_rows(), kTick);
  BOOST_TEST((clean.health == Health::ok), clean.detail);
  BOOST_TEST(clean.rows.size() == 4U);
  BOOST_TEST(clean.rows[2].find("10.430 us") != std::string::npos);
  std::vector<FlushRow> rows = clean_rows();
  for (FlushRow& row : rows) row.after_read_ns = row.after_memset_ns;
  const Check dirty = judge_flush_clean(rows, kTick);
  BOOST_TEST(dirty.name == "flush.clean");
  BOOST_TEST((dirty.health == Health::fail));
  BOOST_TEST(says(dirty, "copy 16 MiB by 2.126 us"));
  // One kernel is enough.
  rows = clean_rows();
  rows[0].after_read_ns = rows[0].after_memset_ns;
  BOOST_TEST((judge_flush_clean(rows, kTick).health == Health::fail));
  // Where dirt costs nothing, its absence proves nothing.
  rows = clean_rows();
  for (FlushRow& row : rows) row.after_memset_ns = row.after_both_ns;
  BOOST_TEST((judge_flush_clean(rows, kTick).health == Health::unknown));
  BOOST_TEST((judge_flush_clean({}, kTick).health == Health::unknown));
}

BOOST_AUTO_TEST_CASE(a_known_number_of_cycles_reads_its_time_within_a_tick) {
  const Check right = judge_cycles(cycles(), kTick);
  BOOST_TEST((right.health == Health::ok), right.detail);
  BOOST_TEST(says(right, "0.600 us of launch and drain"));
  CyclesReading reading = cycles();
  reading.long_ns += 33;
  BOOST_TEST((judge_cycles(reading, kTick).health == Health::fail));
  reading = cycles();
  reading.sm_mhz = {1755};
  BOOST_TEST((judge_cycles(reading, kTick).health == Health::fail));
  reading.sm_mhz.clear();
  BOOST_TEST((judge_cycles(reading, kTick).health == Health::fail));
}

BOOST_AUTO_TEST_CASE(a_busy_host_must_not_show) {
  const Check immune = judge_host_immunity({"queued", 16, 19'616, 19'648}, kTick);
  BOOST_TEST((immune.health == Health::ok), immune.detail);
  const Check moved = judge_host_immunity({"direct", 16, 19'616, 19'700}, kTick);
  BOOST_TEST(moved.name == "host_immunity");
  BOOST_TEST((moved.health == Health::fail));
  BOOST_TEST((judge_host_immunity({"queued", 16, 19'616, 19'540}, kTick).health == Health::fail));
  BOOST_TEST((judge_host_immunity({"queued", 16, 100'000, 100'190}, kTick).health == Health::ok));
}

BOOST_AUTO_TEST_CASE(the_clock_is_the_highest_unless_it_was_set) {
  BOOST_TEST((judge_clock({{1980, 1979, 1981}, 1980, 1980, false}).health == Health::ok));
  BOOST_TEST((judge_clock({{1500, 1500, 1501}, 1980, 1500, false}).health == Health::fail));
  BOOST_TEST((judge_clock({{1500, 1500, 1501}, 1980, 1500, true}).health == Health::note));
  BOOST_TEST((judge_clock({{2100}, 1980, 1980, false}).health == Health::fail));
  BOOST_TEST((judge_clock({{1980}, 0, std::nullopt, false}).health == Health::unknown));
  BOOST_TEST((judge_clock({}).health == Health::fail));
}

BOOST_AUTO_TEST_CASE(a_second_process_is_named) {
  using Pids = std::vector<std::int32_t>;
  BOOST_TEST((judge_processes({7, Pids{}, Pids{7}}).health == Health::ok));
  const Check second = judge_processes({7, Pids{41}, Pids{41, 7}});
  BOOST_TEST(second.name == "second_process");
  BOOST_TEST((second.health == Health::fail));
  BOOST_TEST(says(second, "process 41"));
  // This process under the number of another namespace.
  BOOST_TEST((judge_processes({7, Pids{}, Pids{9001}}).health == Health::ok));
  BOOST_TEST((judge_processes({7, Pids{41}, Pids{41, 9001}}).health == Health::fail));
  BOOST_TEST((judge_processes({7, Pids{41}, Pids{41}}).health == Health::fail));
  // Who does not see this process would not see another.
  BOOST_TEST((judge_processes({7, Pids{}, Pids{}}).health == Health::unknown));
  BOOST_TEST((judge_processes({7, std::nullopt, Pids{7}}).health == Health::unknown));
}

BOOST_AUTO_TEST_CASE(events_enclose_the_kernel_that_they_time) {
  const MethodsReading reading{1'696, 1'984, 4'160, 4'450, 1'530};
  const Check right = judge_four_methods(reading);
  BOOST_TEST((right.health == Health::ok));
  BOOST_TEST(right.rows.size() == 5U);
  BOOST_TEST(right.rows.back() == "CUDA graph replay / N                       1.530 us");
  MethodsReading wrong = reading;
  wrong.event_pair_ns = 1'900;
  BOOST_TEST((judge_four_methods(wrong).health == Health::fail));
  wrong = reading;
  wrong.graph_replay_ns = 0;
  BOOST_TEST((judge_four_methods(wrong).health == Health::fail));
}

BOOST_AUTO_TEST_CASE(every_state_is_spelled_and_read_back) {
  for (const Health health : {Health::ok, Health::note, Health::fail, Health::unknown}) {
    BOOST_TEST((parse_health(to_string(health)) == health));
  }
  BOOST_TEST(!parse_health("fine"));
}

BOOST_AUTO_TEST_SUITE_END()
