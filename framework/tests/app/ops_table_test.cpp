#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <string>

#include "app/desk.hpp"
#include "run/command.hpp"

using namespace opgate;
using namespace opgate::tests;

namespace {

constexpr std::int64_t kDay = 1'769'817'600'000;  // 2026-01-31

store::CaseResult result_of(const std::string& name, int busy_ns, const std::string& library, int library_ns) {
  store::CaseResult result = stored_result(name, busy_ns);
  core::Attempt& attempt = result.attempts.front();
  attempt.device.name = "NVIDIA H200";
  attempt.device.uuid = "GPU-1";
  attempt.device.driver = "580.159.03";
  attempt.device.sm_count = 132;
  attempt.device.max_sm_mhz = 1980;
  result.identity.flops.reset();
  result.identity.bytes_read.reset();
  result.identity.bytes_written.reset();
  core::ImplementationResult& ours = attempt.implementations.front();
  ours.imported.reset();
  for (Sample& sample : ours.measurement.samples) sample.busy_ns = busy_ns;
  if (!library.empty()) {
    core::ImplementationResult other = ours;
    other.measurement.name = library;
    for (Sample& sample : other.measurement.samples) sample.busy_ns = library_ns;
    attempt.implementations.push_back(other);
  }
  return result;
}

// Four cases of one run: near the memory's ceiling, with a library; near the peak rate of f32, which no loop measures;
// without bytes and flops; without a number.
void fill(const Desk& desk) {
  store::History history = desk.history();
  history.put_ceilings(
      {.unit = "GPU-1", .device = "NVIDIA H200", .measured_unix_ms = kDay, .copy = core::MeasuredRate{4'000, 1980}});
  store::RunInfo run;
  run.origin = "ctest";
  run.started_unix_ms = kDay + 86'400'000;
  run.closed_unix_ms = run.started_unix_ms + 1;
  run.commit = "0123456789abcdef0123456789abcdef01234567";
  const std::int64_t id = history.open_run(run);
  store::CaseResult copied = result_of("add.prefill.bf16", 100'000, "cub", 80'000);
  copied.identity.bytes_read = 2e8;
  copied.identity.bytes_written = 8.4e7;
  store::CaseResult computed = result_of("gemm.a_b.f32", 1'000'000, "", 0);
  computed.identity.dtype = "f32";
  computed.identity.flops = 0.5 * 132 * 2048 * 1.98e6;
  store::CaseResult failed = result_of("softmax.x.f16", 5'000, "", 0);
  failed.attempts.front().status = core::Status::failed;
  failed.attempts.front().implementations.clear();
  failed.judgement.reset();
  failed.exit_code = core::ExitCode::cannot_run;
  history.put_results(id, {copied, computed, result_of("topk.y.f32", 1'500, "", 0), failed});
}

run::CapturedCommand table(const Desk& desk, const std::vector<std::string>& more = {}) {
  const std::filesystem::path build = std::filesystem::path(OPGATE_COMMAND_FILE).parent_path().parent_path();
  std::vector<std::string> words{"python3", OPGATE_SOURCE_DIR "/ci/ops-table", desk.at("h.sqlite").string(), "--build",
                                 build.string()};
  words.insert(words.end(), more.begin(), more.end());
  return run::capture(words);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(ops_table)

BOOST_AUTO_TEST_CASE(a_row_has_both_times_their_ratio_and_the_ceiling) {
  const Desk desk;
  fill(desk);
  const run::CapturedCommand said = table(desk);
  BOOST_TEST(said.exit_status == 0);
  BOOST_TEST(said.output ==
             "Run 1 of 2026-02-01 (UTC), NVIDIA H200, unit GPU-1, driver 580.159.03, commit 0123456789ab, ceilings "
             "measured on 2026-01-31. Written by `ci/ops-table`.\n"
             "\n"
             "| op | case | ours, us | library, us | ratio to the fastest | of its ceiling |\n"
             "|---|---|---:|---:|---:|---|\n"
             "| add | prefill.bf16 | 100.0 | 80.00 (cub) | 1.25 | 71 % memory |\n"
             "| gemm | a\\_b.f32 | 1000 | - | - | 50 % compute (of the peak) |\n"
             "| topk | y.f32 | 1.500 | - | - | - |\n"
             "\n"
             "Without a number: softmax.x.f16 (failed).\n");
}

BOOST_AUTO_TEST_CASE(a_filter_and_a_run_are_passed_on) {
  const Desk desk;
  fill(desk);
  const run::CapturedCommand said = table(desk, {"--run", "1", "--filter", "^topk"});
  BOOST_TEST(said.exit_status == 0);
  BOOST_TEST(said.output.find("| topk |") != std::string::npos);
  BOOST_TEST(said.output.find("| gemm |") == std::string::npos);
  BOOST_TEST(said.output.find("ceilings not measured there") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_history_that_cannot_be_read_gives_no_table) {
  const Desk desk;
  const run::CapturedCommand missing = table(desk);
  BOOST_TEST(missing.exit_status == 3);
  BOOST_TEST(missing.output.empty());
  fill(desk);
  BOOST_TEST(table(desk, {"--run", "7"}).exit_status == 3);
  BOOST_TEST(table(desk, {"--no-such-option"}).exit_status == 64);
}

BOOST_AUTO_TEST_SUITE_END()
