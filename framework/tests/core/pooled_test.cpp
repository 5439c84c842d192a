#include "core/pooled.hpp"

#include <boost/test/unit_test.hpp>

using namespace opgate;
using namespace opgate::core;

namespace {

Attempt process_of(std::initializer_list<std::int64_t> busy_ns) {
  Attempt attempt;
  attempt.status = Status::measured;
  attempt.device.uuid = "GPU-a";
  attempt.started_unix_ms = 1000;
  attempt.wall_ns = 5'000'000;
  attempt.phase_wall_ns = {{"measure", 3}};
  ImplementationResult ours;
  for (const std::int64_t busy : busy_ns) {
    ours.measurement.samples.emplace_back().busy_ns = busy;
  }
  ours.measurement.warmup_iterations = 7;
  ours.measurement.retries = 1;
  ours.measurement.pass_medians_ns = {static_cast<double>(*busy_ns.begin())};
  ours.kernel_groups = {"1 x add"};
  ours.launches = {{{{"add", 1}}, 0}};
  ours.kernels.emplace_back().name = "add";
  attempt.implementations = {ours};
  return attempt;
}

std::vector<std::int64_t> busy_of(const Attempt& attempt) {
  std::vector<std::int64_t> busy;
  for (const Sample& sample : attempt.implementations.at(0).measurement.samples) busy.push_back(sample.busy_ns);
  return busy;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(pooled)

BOOST_AUTO_TEST_CASE(one_process_is_its_reading) {
  const Attempt one = process_of({1, 2});
  BOOST_TEST((core::pooled({one}) == one));
}

BOOST_AUTO_TEST_CASE(samples_follow_each_other_and_the_rest_is_summed) {
  const Attempt whole = core::pooled({process_of({1, 2}), process_of({5, 6, 7}), process_of({3})});
  BOOST_TEST((whole.status == Status::measured));
  BOOST_TEST(whole.processes == 3);
  BOOST_TEST(busy_of(whole) == (std::vector<std::int64_t>{1, 2, 5, 6, 7, 3}), boost::test_tools::per_element());
  const Measurement& m = whole.implementations[0].measurement;
  BOOST_TEST(m.warmup_iterations == 21);
  BOOST_TEST(m.retries == 3);
  BOOST_TEST(m.pass_medians_ns == (std::vector<double>{1, 5, 3}), boost::test_tools::per_element());
  BOOST_TEST(whole.implementations[0].kernels.size() == 1U);
  BOOST_TEST(whole.phase_wall_ns.at("measure") == 9);
  BOOST_TEST(whole.wall_ns == 15'000'000);
}

BOOST_AUTO_TEST_CASE(the_time_it_took_ends_with_the_last_process) {
  Attempt later = process_of({2});
  later.started_unix_ms = 1009;
  BOOST_TEST(core::pooled({process_of({1}), later}).wall_ns == 14'000'000);
}

// Records that are kept of the last process belong to the reading by when they were taken.
BOOST_AUTO_TEST_CASE(a_reading_that_ended_early_took_the_time_of_every_process) {
  for (const Status status : {Status::measured, Status::failed}) {
    Attempt later = process_of({2});
    later.status = status;
    later.device.uuid = "GPU-b";
    later.started_unix_ms = 1009;
    const Attempt whole = core::pooled({process_of({1}), later});
    BOOST_TEST((whole.status != Status::measured));
    BOOST_TEST(whole.started_unix_ms == 1000);
    BOOST_TEST(whole.wall_ns == 14'000'000);
    BOOST_TEST(whole.phase_wall_ns.at("measure") == 6);
  }
}

BOOST_AUTO_TEST_CASE(launches_follow_no_group_whose_own_are_unknown) {
  Attempt other = process_of({3});
  other.implementations[0].kernel_groups = {"2 x sum"};
  other.implementations[0].launches = {{{{"sum", 2}}, 0}};
  Attempt unknown = process_of({1});
  unknown.implementations[0].launches.clear();
  const Attempt whole = core::pooled({unknown, other});
  BOOST_TEST(whole.implementations[0].kernel_groups.size() == 2U);
  BOOST_TEST(whole.implementations[0].launches.empty());
}

BOOST_AUTO_TEST_CASE(kernel_groups_are_matched_by_name) {
  Attempt varies = process_of({1, 2, 3});
  ImplementationResult& theirs = varies.implementations[0];
  theirs.kernel_groups = {"2 x sum", "1 x add"};
  theirs.launches = {{{{"sum", 2}}, 0}, {{{"add", 1}}, 0}};
  theirs.kernels.emplace_back().name = "sum";
  theirs.measurement.samples[1].group = 1;
  theirs.measurement.samples[2].group = 0;
  const Attempt whole = core::pooled({process_of({9}), varies});
  const ImplementationResult& ours = whole.implementations[0];
  BOOST_TEST(ours.kernel_groups == (std::vector<std::string>{"1 x add", "2 x sum"}), boost::test_tools::per_element());
  BOOST_REQUIRE(ours.launches.size() == 2U);
  BOOST_TEST(ours.launches[1].kernels.at("sum") == 2);
  BOOST_TEST(ours.kernels.size() == 2U);
  std::vector<std::uint32_t> groups;
  for (const Sample& sample : ours.measurement.samples) groups.push_back(sample.group);
  BOOST_TEST(groups == (std::vector<std::uint32_t>{0, 1, 0, 1}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_process_without_a_number_leaves_none) {
  for (const Status status : {Status::untrusted, Status::failed, Status::wrong, Status::skipped}) {
    Attempt ended = process_of({4});
    ended.status = status;
    ended.error = ErrorKind::records_lost;
    ended.message = "lost 3 records";
    const Attempt whole = core::pooled({process_of({1}), ended});
    BOOST_TEST((whole.status == status));
    BOOST_TEST((whole.error == ErrorKind::records_lost));
    BOOST_TEST(whole.message == "fresh process 2 of the reading: lost 3 records");
    BOOST_TEST(core::pooled({ended}).message == "lost 3 records");
  }
}

BOOST_AUTO_TEST_CASE(what_was_measured_in_other_ways_is_never_put_together) {
  const auto refused = [](const Attempt& other, const std::string& why) {
    const Attempt whole = core::pooled({process_of({1}), other});
    BOOST_TEST((whole.status == Status::untrusted));
    BOOST_TEST((whole.error == ErrorKind::unproven));
    BOOST_TEST(whole.message.find("fresh process 2") != std::string::npos);
    BOOST_TEST_CONTEXT(whole.message) {
      BOOST_TEST(whole.message.find(why) != std::string::npos);
    }
  };
  Attempt held = process_of({1});
  held.implementations[0].measurement.launch = Launch::queued;
  refused(held, "it launched the op queued, the first one direct");
  held.implementations[0].measurement.name = "cublas";
  Attempt library = process_of({1});
  library.implementations[0].measurement.name = "cublas";
  BOOST_TEST(core::pooled({library, held}).message.find("it launched \"cublas\" queued") != std::string::npos);
  Attempt second_device = process_of({1});
  second_device.implementations[0].measurement.device = 1;
  refused(second_device, "on device 1, the first one on device 0");
  Attempt elsewhere = process_of({1});
  elsewhere.device.uuid = "GPU-b";
  refused(elsewhere, "on GPU GPU-b");
  Attempt beside = process_of({1});
  beside.implementations.push_back(beside.implementations[0]);
  refused(beside, "2 implementations");
  Attempt named = process_of({1});
  named.implementations[0].measurement.name = "cublas";
  refused(named, "\"cublas\"");
  for (const auto change : {+[](Measurement& m) { m.pacing = 2; }, +[](Measurement& m) { m.flush = Flush::none; },
                            +[](Measurement& m) { m.timing = Timing::cuda_events; },
                            +[](Measurement& m) { m.protocol = Protocol::method_1; }}) {
    Attempt otherwise = process_of({1});
    change(otherwise.implementations[0].measurement);
    refused(otherwise, "another protocol, timing, flush or pacing");
  }
}

BOOST_AUTO_TEST_CASE(the_gpu_s_other_users_are_seen_by_any_of_them) {
  Attempt first = process_of({1});
  first.before.other_processes = {7};
  first.after.throttle_reasons = 4;
  first.after.temperature_c = 50;
  Attempt last = process_of({2});
  last.before.other_processes = {8, 7};
  last.after.other_processes = {9};
  last.after.throttle_reasons = 1;
  last.after.temperature_c = 60;
  const Attempt whole = core::pooled({first, last});
  BOOST_TEST(whole.before.other_processes == (std::vector<std::int32_t>{7, 8}), boost::test_tools::per_element());
  BOOST_TEST(whole.after.other_processes == std::vector<std::int32_t>{9}, boost::test_tools::per_element());
  BOOST_TEST(whole.after.throttle_reasons.value() == 5U);
  BOOST_TEST(whole.after.temperature_c.value() == 60);
}

BOOST_AUTO_TEST_SUITE_END()
