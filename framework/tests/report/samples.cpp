#include "report/samples.hpp"

#include <boost/test/unit_test.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace opgate::report::test {
namespace {

core::ImplementationResult implementation(const std::string& name, std::int64_t busy_ns) {
  core::ImplementationResult result;
  Measurement& m = result.measurement;
  m.name = name;
  m.protocol = Protocol::method_1;
  m.flush = Flush::memset;
  m.warmup_iterations = 100;
  m.pass_medians_ns = {static_cast<double>(busy_ns), static_cast<double>(busy_ns) + 32};
  for (int i = 0; i < 200; ++i) {
    const std::int64_t busy = busy_ns + 32 * (i % 5 - 2);
    m.samples.push_back({busy, busy, 0, 1, 1965, 0});
  }
  result.kernels = {{"_Z11gemm_kernelILi128ELi256EEvPK13__nv_bfloat16S2_PS0_iii",
                     {32, 16, 1},
                     {256, 1, 1},
                     168,
                     1024,
                     229'376 - 1024}};
  result.kernel_groups = {"gemm_kernel"};
  return result;
}

}  // namespace

store::CaseResult measured_case() {
  store::CaseResult result;
  result.id = 7;
  result.run_id = 12;
  result.identity.name = "gemm.llama3-8b-qkv.bf16";
  result.identity.op = "gemm";
  result.identity.workload = "llama3-8b-qkv";
  result.identity.dtype = "bf16";
  result.identity.dimensions = {{"m", 4096}, {"n", 4096}, {"k", 4096}};
  result.identity.params = {{"alpha", 0.5}};
  result.identity.flops = 137438953472.0;
  result.identity.bytes_read = 67108864.0;
  result.identity.bytes_written = 33554432.0;
  core::Attempt attempt;
  attempt.status = core::Status::measured;
  attempt.implementations = {implementation("", 189'696), implementation("cublas", 171'200)};
  attempt.device.name = "NVIDIA H200";
  attempt.device.uuid = "GPU-3fb1c2aa";
  attempt.device.driver = "580.159.03";
  attempt.device.cuda = "13.0";
  attempt.device.sm_count = 132;
  attempt.device.max_sm_mhz = 1980;
  attempt.before = {1980, 3201, 41, 120'400, 0x1, {}};
  attempt.after = {1965, 3201, 43, 350'900, 0x4, {4711}};
  attempt.wall_ns = 480'000'000;
  attempt.phase_wall_ns = {{"check", 98'000'000}, {"context", 250'000'000}, {"measure", 132'000'000}};
  result.attempts = {attempt};
  return result;
}

store::CaseResult judged_case(core::Verdict verdict, core::ExitCode exit_code, double change_pct) {
  store::CaseResult result = measured_case();
  core::Judgement judgement;
  judgement.verdict = verdict;
  if (verdict != core::Verdict::no_baseline && verdict != core::Verdict::not_comparable) {
    judgement.measured_ns = 189'696;
    judgement.baseline_ns = 189'696 / (1 + change_pct / 100);
    judgement.change_pct = change_pct;
    judgement.threshold_pct = 1.0;
    judgement.detectable_pct = 1.04;
  }
  judgement.reason = "what the rule says, in one sentence that is long enough to be broken over two lines of the block";
  judgement.notes = {"another unit of the same model", "the kernel set changed"};
  result.judgement = judgement;
  result.exit_code = exit_code;
  return result;
}

store::CaseResult ended_case(core::Status status, ErrorKind error, core::ExitCode exit_code, const std::string& phase,
                             const std::string& message) {
  store::CaseResult result = measured_case();
  core::Attempt& attempt = result.attempts.front();
  attempt.status = status;
  attempt.error = error;
  attempt.phase = phase;
  attempt.message = message;
  if (status != core::Status::wrong) {
    attempt.implementations.clear();
  }
  result.exit_code = exit_code;
  return result;
}

core::Ceilings measured_ceilings() {
  return {.unit = "GPU-3fb1c2aa",
          .device = "NVIDIA H200",
          .measured_unix_ms = 1'759'000'000'000,
          .copy = core::MeasuredRate{4'194, 1980},
          .half = core::MeasuredRate{800'000, 1700}};
}

store::CaseResult named(store::CaseResult result, const std::string& name) {
  result.identity.name = name;
  return result;
}

NextSteps next_steps() {
  return {"ctest --test-dir build -R '^gemm\\.llama3-8b-qkv\\.bf16$' --output-on-failure",
          "ncu --set full build/ops/op_gemm gemm.llama3-8b-qkv.bf16 --profile "
          "--with-a-line-that-is-longer-than-a-row-and-stays-whole",
          "opgate baseline accept --run 12 --filter '^gemm\\.llama3-8b-qkv\\.bf16$' --reason TEXT"};
}

void check_golden(const std::string& name, const std::string& text) {
  const std::filesystem::path path = std::filesystem::path(OPGATE_TEST_DATA) / "golden" / "report" / name;
  if (std::getenv("OPGATE_UPDATE_GOLDEN") != nullptr) {
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << text;
    BOOST_ERROR("rewrote " << path);
    return;
  }
  std::ifstream file(path, std::ios::binary);
  BOOST_REQUIRE_MESSAGE(file, "no golden file " << path);
  const std::string expected{std::istreambuf_iterator<char>(file), {}};
  BOOST_TEST(text == expected, name << " differs; got:\n" << text << "expected:\n" << expected);
}

}  // namespace opgate::report::test
