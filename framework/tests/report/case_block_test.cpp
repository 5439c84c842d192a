#include <boost/test/unit_test.hpp>
#include <sstream>

#include "report/figures.hpp"
#include "report/samples.hpp"

namespace opgate::report::test {
namespace {

using core::ExitCode;
using core::Status;
using core::Verdict;

std::string plain(const store::CaseResult& result) {
  return report::case_block(result, next_steps(), false);
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(case_block)

BOOST_AUTO_TEST_CASE(every_verdict) {
  check_golden("pass.txt", plain(judged_case(Verdict::pass, ExitCode::pass, 0.12)));
  check_golden("regressed.txt", plain(judged_case(Verdict::regressed, ExitCode::regression, 10.3)));
  check_golden("improved.txt", plain(judged_case(Verdict::improved, ExitCode::pass, -12.5)));
  check_golden("inconclusive.txt", plain(judged_case(Verdict::inconclusive, ExitCode::inconclusive, 1.4)));
  check_golden("inconclusive_warning.txt", plain(judged_case(Verdict::inconclusive, ExitCode::pass, 1.4)));
  check_golden("no_baseline.txt", plain(judged_case(Verdict::no_baseline, ExitCode::pass, 0)));
  check_golden("no_baseline_required.txt", plain(judged_case(Verdict::no_baseline, ExitCode::no_baseline, 0)));
  check_golden("not_comparable.txt", plain(judged_case(Verdict::not_comparable, ExitCode::no_baseline, 0)));
}

BOOST_AUTO_TEST_CASE(samples_of_several_processes_say_so) {
  store::CaseResult result = judged_case(Verdict::pass, ExitCode::pass, 0.12);
  result.attempts.front().processes = 4;
  const std::size_t samples = ours_of(result.attempts.front())->measurement.samples.size();
  BOOST_TEST(has(plain(result), std::to_string(samples) + " of 4 processes"));
  result.attempts.front().implementations.front().iterations_asked = 200;
  BOOST_TEST(has(plain(result), std::to_string(samples) + " of 4 processes (200 asked for of each)"));
  result.attempts.front().processes = 1;
  BOOST_TEST(has(plain(result), std::to_string(samples) + " (200 asked for)"));
}

// Flagged, not refused: writes that stay in L2 make such a total possible.
BOOST_AUTO_TEST_CASE(a_total_rate_above_the_memorys_is_flagged) {
  store::CaseResult result = judged_case(Verdict::pass, ExitCode::pass, 0.12);
  BOOST_TEST(!has(plain(result), "stayed in L2"));
  const double busy_ns = ours_of(result.attempts.front())->measurement.median_busy_ns();
  result.identity.bytes_read = 2'500 * busy_ns;
  result.identity.bytes_written = 2'500 * busy_ns;
  BOOST_TEST(has(plain(result), "stayed in L2"));
}

BOOST_AUTO_TEST_CASE(rates_are_held_against_the_ceiling_that_is_named) {
  store::CaseResult result = judged_case(Verdict::pass, ExitCode::pass, 0.12);
  BOOST_TEST(has(plain(result), "compute: 68 % of the peak bf16 rate"));
  result.ceilings = measured_ceilings();
  BOOST_TEST(has(plain(result), "compute: 91 % of the measured bf16 rate (2025-09-27)"));
  result.identity.flops.reset();
  BOOST_TEST(has(plain(result), "memory: 13 % of the measured copy"));
  result.identity.bytes_read.reset();
  BOOST_TEST(!has(plain(result), "% of the"));
  // A void reading is no rate.
  store::CaseResult wrong = ended_case(Status::wrong, ErrorKind::wrong_result, ExitCode::wrong_result, "check", "off");
  BOOST_TEST(!has(plain(wrong), "of the peak"));
}

BOOST_AUTO_TEST_CASE(a_waived_regression_is_told_as_one) {
  store::CaseResult result = judged_case(Verdict::regressed, ExitCode::pass, 10.3);
  result.judgement->waiver = core::Waiver{result.identity.name, "", "Ada", "waits for the compiler", "2026-12-31"};
  check_golden("waived.txt", plain(result));
}

BOOST_AUTO_TEST_CASE(every_other_ending) {
  check_golden("not_judged.txt", plain(measured_case()));
  check_golden("untrusted.txt",
               plain(ended_case(Status::untrusted, ErrorKind::off_thread_launch, ExitCode::untrusted, "measure",
                                "gemm.llama3-8b-qkv.bf16: kernel add_kernel carries no iteration number; thread 4711 "
                                "launched it\n  fix: have the timed call launch its own work")));
  check_golden("failed.txt", plain(ended_case(Status::failed, ErrorKind::cuda, ExitCode::cannot_run, "set-up",
                                              "gemm.cu:41: out of memory\n  fix: free memory on the device")));
  check_golden("wrong_result.txt",
               plain(ended_case(Status::wrong, ErrorKind::wrong_result, ExitCode::wrong_result, "check after timing",
                                "output y differs from the reference at [3, 7]: 1.5, expected 1.25")));
  check_golden("skipped.txt", plain(ended_case(Status::skipped, ErrorKind::device, ExitCode::skipped, "machine",
                                               "no NVIDIA device on the PCI bus")));
  store::CaseResult open = ended_case(Status::running, ErrorKind::op, ExitCode::pass, "", "");
  open.exit_code.reset();
  open.attempts[0].error.reset();
  check_golden("never_finished.txt", plain(open));
}

BOOST_AUTO_TEST_CASE(a_confirmed_regression_of_a_mixed_call_recorded_twice) {
  store::CaseResult result = judged_case(Verdict::regressed, ExitCode::regression, 10.3);
  result.judgement->metric = core::Metric::cycles;
  result.judgement->measured_ns = 188'000;
  result.times_recorded = 2;
  core::ImplementationResult& ours = result.attempts[0].implementations[0];
  ours.kernel_groups = {"1 x gemm_kernel", "1 x gemm_kernel + 2 x reduce"};
  ours.kernels.assign(8, ours.kernels.front());
  ours.kernels[1].name = "_Z" + std::to_string(90) + std::string(90, 'k') + "iii";
  ours.measurement.retries = 1;
  for (std::size_t i = 0; i < 50; ++i) {
    Sample& sample = ours.measurement.samples[i * 4];
    sample = {sample.busy_ns + 9000, sample.busy_ns + 12'000, 3000, 3, 1980, 1};
  }
  result.attempts.push_back(result.attempts[0]);
  result.attempts[1].number = 2;
  result.attempts[1].purpose = "confirm";
  result.attempts.push_back(result.attempts[0]);
  result.attempts[2].number = 3;
  result.attempts[2].purpose = "confirm";
  result.attempts[2].status = Status::failed;
  result.attempts[2].phase = "context";
  check_golden("mixed_confirmed.txt", plain(result));
}

BOOST_AUTO_TEST_CASE(copies_that_count_and_repeated_kernels_are_named) {
  store::CaseResult result = judged_case(Verdict::pass, ExitCode::pass, 0);
  BOOST_TEST(plain(result).find("  launches  ") == std::string::npos);
  for (const char* const launched : {"gemm_kernel + 2 x copy", "3 x gemm_kernel"}) {
    result.attempts[0].implementations[0].kernel_groups = {launched};
    BOOST_TEST(plain(result).find(std::string("  launches    ") + launched) != std::string::npos);
  }
  result.attempts[0].implementations[0].kernels.clear();
  result.attempts[0].implementations[0].kernel_groups = {"1 x copy"};
  BOOST_TEST(plain(result).find("  launches    1 x copy") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(event_timing_says_what_it_does_not_know) {
  store::CaseResult result = judged_case(Verdict::no_baseline, ExitCode::pass, 0);
  Measurement& m = result.attempts[0].implementations[0].measurement;
  m.timing = Timing::cuda_events;
  for (Sample& sample : m.samples) {
    sample.n_kernels.reset();
    sample.sm_mhz.reset();
  }
  check_golden("events.txt", plain(result));
}

BOOST_AUTO_TEST_CASE(an_imported_row_shows_only_what_is_known) {
  store::CaseResult result;
  result.identity.name = "imported row";
  result.attempts.resize(1);
  result.attempts[0].status = Status::measured;
  result.attempts[0].implementations.resize(1);
  result.attempts[0].implementations[0].measurement.samples = {{2000, 2000, 0, std::nullopt, std::nullopt, 0}};
  check_golden("imported.txt", plain(result));
}

BOOST_AUTO_TEST_CASE(samples_that_were_pruned_leave_the_verdict) {
  store::CaseResult result = judged_case(Verdict::regressed, ExitCode::regression, 10.3);
  for (core::ImplementationResult& implementation : result.attempts[0].implementations) {
    implementation.measurement.samples.clear();
  }
  check_golden("pruned.txt", plain(result));
}

BOOST_AUTO_TEST_CASE(a_replay_is_never_shown_as_measured) {
  store::CaseResult result = judged_case(Verdict::pass, ExitCode::pass, 0.12);
  result.attempts[0].replayed = true;
  const std::string text = plain(result);
  BOOST_TEST(has(text.substr(0, text.find('\n')), "replayed from a trace, NOT MEASURED"), text);
}

BOOST_AUTO_TEST_CASE(colour_only_where_asked_for_and_only_in_the_headline) {
  const store::CaseResult result = judged_case(Verdict::regressed, ExitCode::regression, 10.3);
  const std::string text = report::case_block(result, next_steps(), true);
  BOOST_TEST(text.starts_with("\x1b[1;31mREGRESSED\x1b[0m  gemm"));
  BOOST_TEST(!has(text.substr(text.find('\n')), "\x1b"));
  BOOST_TEST(!has(plain(result), "\x1b"));
}

BOOST_AUTO_TEST_CASE(lines_stay_narrow_but_commands_stay_whole) {
  const std::string text = plain(judged_case(Verdict::regressed, ExitCode::regression, 10.3));
  std::size_t begin = 0;
  for (std::size_t end = text.find('\n'); end != std::string::npos; end = text.find('\n', begin)) {
    const std::string line = text.substr(begin, end - begin);
    BOOST_TEST((line.size() <= 100 || line.starts_with("  reproduce") || line.starts_with("  profile") ||
                line.starts_with("  accept")),
               line);
    begin = end + 1;
  }
  BOOST_TEST(has(text, next_steps().profile + "\n"));
}

BOOST_AUTO_TEST_CASE(nothing_at_all_is_shown_too) {
  BOOST_TEST(report::case_block({}, {}, false) ==
             "NEVER FINISHED  \n"
             "  reason      the case was opened and never closed: its supervisor died or still runs\n");
}

BOOST_AUTO_TEST_CASE(a_block_fits_the_terminal_but_for_headline_commands_and_long_words) {
  const auto result = judged_case(Verdict::regressed, ExitCode::regression, 10.3);
  std::istringstream lines(report::case_block(result, next_steps(), false, 60));
  std::string line;
  std::getline(lines, line);
  while (std::getline(lines, line)) {
    const bool command =
        line.starts_with("  reproduce") || line.starts_with("  profile") || line.starts_with("  accept");
    const bool one_word = line.find(' ', 14) == std::string::npos;
    BOOST_TEST((line.size() <= 60 || command || one_word), line);
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace opgate::report::test
