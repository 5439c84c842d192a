#include <boost/test/unit_test.hpp>
#include <functional>

#include "run_builder.hpp"

using namespace opgate;
using namespace opgate::core;

BOOST_AUTO_TEST_SUITE(comparability)

namespace {

using Change = std::function<void(CaseIdentity&, Conditions&)>;

struct Outcome {
  std::string why;
  std::vector<std::string> notes;
};

// Applies one change to the accepted runs, another to the run under judgement.
Outcome outcome(const Change& accepted, const Change& now) {
  CaseBaseline baseline = steady_baseline();
  accepted(baseline.identity, baseline.conditions);
  CaseRun run = run_of(100'000);
  now(run.identity, run.conditions);
  Outcome result;
  result.why = incomparable(baseline, run, result.notes);
  return result;
}

const Change kNothing = [](CaseIdentity&, Conditions&) {};

// Different on one side: refused, and the text names what. Unknown on one side alone is different; on both it is equal.
template <class Field>
void check_text(const char* what, Field field, const std::string& other) {
  const Change set = [&](CaseIdentity& i, Conditions& c) { field(i, c) = other; };
  const Change clear = [&](CaseIdentity& i, Conditions& c) { field(i, c).clear(); };
  BOOST_TEST_CONTEXT(what) {
    const std::string why = outcome(kNothing, set).why;
    BOOST_TEST(why.find(what) != std::string::npos, why);
    BOOST_TEST(why.find(other) != std::string::npos, why);
    BOOST_TEST(!outcome(set, kNothing).why.empty());
    BOOST_TEST(!outcome(kNothing, clear).why.empty());
    BOOST_TEST(!outcome(clear, kNothing).why.empty());
    BOOST_TEST(outcome(clear, clear).why == "");
    BOOST_TEST(outcome(set, set).why == "");
  }
}

}  // namespace

BOOST_AUTO_TEST_CASE(the_same_case_is_comparable_without_notes) {
  const Outcome same = outcome(kNothing, kNothing);
  BOOST_TEST(same.why == "");
  BOOST_TEST(same.notes.empty());
}

BOOST_AUTO_TEST_CASE(what_a_case_is_must_agree) {
  check_text(
      "dtype", [](CaseIdentity& i, Conditions&) -> std::string& { return i.dtype; }, "f16");
  check_text(
      "generator", [](CaseIdentity& i, Conditions&) -> std::string& { return i.generator; }, "philox-2 seed 0");
  check_text(
      "copies mode", [](CaseIdentity& i, Conditions&) -> std::string& { return i.copies; }, "count");
}

BOOST_AUTO_TEST_CASE(how_it_was_measured_must_agree) {
  check_text(
      "protocol", [](CaseIdentity&, Conditions& c) -> std::string& { return c.protocol; }, "method-1");
  check_text(
      "timing", [](CaseIdentity&, Conditions& c) -> std::string& { return c.timing; }, "cuda-events");
  check_text(
      "flush", [](CaseIdentity&, Conditions& c) -> std::string& { return c.flush; }, "memset");
  check_text(
      "pacing", [](CaseIdentity&, Conditions& c) -> std::string& { return c.pacing; }, "1.0");
}

BOOST_AUTO_TEST_CASE(the_machine_must_agree_in_model_driver_branch_and_cuda) {
  check_text(
      "GPU model", [](CaseIdentity&, Conditions& c) -> std::string& { return c.device_name; }, "NVIDIA H100");
  check_text(
      "driver branch", [](CaseIdentity&, Conditions& c) -> std::string& { return c.driver_branch; }, "575");
  check_text(
      "CUDA version", [](CaseIdentity&, Conditions& c) -> std::string& { return c.cuda; }, "13.1");
}

BOOST_AUTO_TEST_CASE(dimensions_and_params_must_agree) {
  const std::string value = outcome(kNothing, [](CaseIdentity& i, Conditions&) { i.dimensions["m"] = 65; }).why;
  BOOST_TEST(value.find("m=65") != std::string::npos, value);
  BOOST_TEST(!outcome(kNothing, [](CaseIdentity& i, Conditions&) { i.dimensions["k"] = 1; }).why.empty());
  BOOST_TEST(!outcome(kNothing, [](CaseIdentity& i, Conditions&) { i.dimensions.clear(); }).why.empty());
  BOOST_TEST(!outcome(kNothing, [](CaseIdentity& i, Conditions&) { i.params["alpha"] = 2; }).why.empty());
  BOOST_TEST(!outcome(kNothing, [](CaseIdentity& i, Conditions&) { i.params.clear(); }).why.empty());
}

BOOST_AUTO_TEST_CASE(other_flops_or_bytes_at_equal_dimensions_are_flagged_only) {
  const std::vector<Change> changes{[](CaseIdentity& i, Conditions&) { i.flops = 7; },
                                    [](CaseIdentity& i, Conditions&) { i.flops.reset(); },
                                    [](CaseIdentity& i, Conditions&) { i.bytes_read = 7; },
                                    [](CaseIdentity& i, Conditions&) { i.bytes_written = 7; }};
  for (const Change& change : changes) {
    const Outcome changed = outcome(kNothing, change);
    BOOST_TEST(changed.why == "");
    BOOST_REQUIRE_EQUAL(changed.notes.size(), 1U);
    BOOST_TEST(changed.notes[0].ends_with(": times are compared, rates are not comparable with older ones"));
  }
}

// One side has none: that alone refuses, and what it was of flops is flagged.
BOOST_AUTO_TEST_CASE(dimensions_of_one_side_tell_that_flops_are_no_identity) {
  const Change none = [](CaseIdentity& i, Conditions&) { i.dimensions.clear(); };
  const Change other = [](CaseIdentity& i, Conditions&) { i.flops = 7; };
  const Outcome now_only = outcome(none, other);
  BOOST_TEST(now_only.why == "dimensions differs: none in the baseline, m=64, n=64 now");
  BOOST_TEST(now_only.notes.size() == 1U);
  const Outcome before_only = outcome(other, none);
  BOOST_TEST(before_only.why == "dimensions differs: m=64, n=64 in the baseline, none now");
  BOOST_TEST(before_only.notes.size() == 1U);
}

BOOST_AUTO_TEST_CASE(without_dimensions_flops_and_bytes_are_the_identity) {
  const Change plain = [](CaseIdentity& i, Conditions&) { i.dimensions.clear(); };
  BOOST_TEST(outcome(plain, plain).why == "");
  const std::vector<Change> changes{[](CaseIdentity& i, Conditions&) { i.flops = 7; },
                                    [](CaseIdentity& i, Conditions&) { i.flops.reset(); },
                                    [](CaseIdentity& i, Conditions&) { i.bytes_read = 7; },
                                    [](CaseIdentity& i, Conditions&) { i.bytes_written = 7; }};
  for (const Change& change : changes) {
    BOOST_TEST(!outcome(plain, [&](CaseIdentity& i, Conditions& c) {
                  i.dimensions.clear();
                  change(i, c);
                }).why.empty());
  }
}

BOOST_AUTO_TEST_CASE(queued_and_direct_compare_only_where_kernels_cannot_overlap) {
  const CaseBaseline baseline = steady_baseline();
  std::vector<std::string> notes;
  CaseRun run = run_of(100'000);
  run.conditions.launch = "queued";
  BOOST_TEST(incomparable(baseline, run, notes) == "");
  BOOST_TEST(any_says(notes, "queued"));

  CaseRun two_kernels = run;
  two_kernels.samples.back().n_kernels = 2;
  BOOST_TEST(incomparable(baseline, two_kernels, notes).find("launch mode") != std::string::npos);
  CaseRun unknown = run;
  unknown.samples.back().n_kernels.reset();
  BOOST_TEST(!incomparable(baseline, unknown, notes).empty());
  CaseRun renamed = run;  // another kernel, alone like the one before
  renamed.group_names = {"1 x fused"};
  BOOST_TEST(incomparable(baseline, renamed, notes) == "");
}

// Three kernels a call, `overlap_ns` of them at the same time in the last iteration.
CaseRun three_kernels(const std::string& launch, std::optional<std::int64_t> overlap_ns) {
  CaseRun run = run_of(100'000);
  run.conditions.launch = launch;
  run.group_names = {"3 x copy"};
  for (Sample& sample : run.samples) {
    sample.n_kernels = 3;
    sample.work_ns = overlap_ns ? std::optional(sample.busy_ns) : std::nullopt;
  }
  if (overlap_ns) {
    run.samples.back().work_ns = run.samples.back().busy_ns + *overlap_ns;
  }
  return run;
}

BOOST_AUTO_TEST_CASE(several_kernels_compare_across_launch_modes_when_none_ever_overlaps) {
  const auto why = [](std::optional<std::int64_t> accepted, std::optional<std::int64_t> now) {
    const CaseRun before = three_kernels("direct", accepted);
    std::vector<std::string> notes;
    const std::string text = incomparable(summarise({before, before}), three_kernels("queued", now), notes);
    BOOST_TEST(text.empty() == any_says(notes, "never overlap"));
    return text;
  };
  BOOST_TEST(why(0, 0) == "");
  BOOST_TEST(why(32, 32) == "");  // a tick is the timer's, not the kernels'
  BOOST_TEST(why(33, 33) == "launch mode differs: direct in the baseline, queued now, and kernels of a call overlap");
  BOOST_TEST(why(0, 33) ==
             "launch mode differs: direct in the baseline, queued now, and kernels of a call overlap now");
  BOOST_TEST(why(33, 0) ==
             "launch mode differs: direct in the baseline, queued now, and kernels of a call overlap in the baseline");
  BOOST_TEST(why(33, std::nullopt).ends_with(", and kernels of a call overlap in the baseline"));
  BOOST_TEST(why(std::nullopt, 0).find("the baseline does not say") != std::string::npos);
  BOOST_TEST(why(0, std::nullopt).find("this reading does not say") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(overlap_matters_to_nobody_who_launches_alike) {
  const CaseRun before = three_kernels("queued", 5000);
  std::vector<std::string> notes;
  BOOST_TEST(incomparable(summarise({before}), three_kernels("queued", 0), notes) == "");
  BOOST_TEST(notes.empty());
}

BOOST_AUTO_TEST_CASE(a_baseline_of_single_kernels_that_does_not_say_still_compares) {
  CaseBaseline older = steady_baseline();
  BOOST_TEST((older.kernels_overlap == std::optional(false)));
  older.kernels_overlap.reset();
  CaseRun run = run_of(100'000);
  run.conditions.launch = "queued";
  std::vector<std::string> notes;
  BOOST_TEST(incomparable(older, run, notes) == "");
  run.group_names = {"1 x fused"};  // the accepted runs may have been two kernels then
  BOOST_TEST(incomparable(older, run, notes).find("does not say") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(only_one_and_the_same_kernel_stands_in_for_a_baseline_that_does_not_say) {
  const auto compares = [](const std::function<void(CaseBaseline&, CaseRun&)>& change) {
    CaseBaseline older = steady_baseline();
    older.kernels_overlap.reset();
    CaseRun run = run_of(100'000);
    run.conditions.launch = "queued";
    change(older, run);
    std::vector<std::string> notes;
    return incomparable(older, run, notes).empty();
  };
  BOOST_TEST(compares([](CaseBaseline&, CaseRun&) {}));
  BOOST_TEST(!compares([](CaseBaseline&, CaseRun& run) { run.group_names.emplace_back("1 x other"); }));
  BOOST_TEST(!compares([](CaseBaseline&, CaseRun& run) { run.group_names.clear(); }));
  BOOST_TEST(!compares([](CaseBaseline& older, CaseRun&) { older.model.group_shares["1 x other"] = 0.5; }));
  BOOST_TEST(!compares([](CaseBaseline& older, CaseRun&) { older.model.group_shares.clear(); }));
  BOOST_TEST(!compares([](CaseBaseline&, CaseRun& run) {  // two kernels, one after the other
    for (Sample& sample : run.samples) sample.work_ns = sample.busy_ns;
    run.samples.back().n_kernels = 2;
  }));
  const auto figures = [](std::int32_t kernels) {
    return [kernels](CaseBaseline&, CaseRun& run) {
      run.samples.clear();
      run.summary.emplace().busy_ns = 100'000;
      run.summary->n_kernels = kernels;
    };
  };
  BOOST_TEST(compares(figures(1)));
  BOOST_TEST(!compares(figures(2)));
}

BOOST_AUTO_TEST_CASE(every_difference_is_told_at_once) {
  const std::string why = outcome(kNothing, [](CaseIdentity& i, Conditions& c) {
                            i.dtype = "f16";
                            c.cuda = "13.1";
                          }).why;
  BOOST_TEST(why.find("dtype") != std::string::npos, why);
  BOOST_TEST(why.find("CUDA version") != std::string::npos, why);
}

BOOST_AUTO_TEST_CASE(unit_driver_patch_and_index_do_not_matter) {
  CaseRun run = run_of(100'000, 1500, "GPU-z");
  std::vector<std::string> notes;
  BOOST_TEST(incomparable(steady_baseline(), run, notes) == "");
}

BOOST_AUTO_TEST_SUITE_END()
