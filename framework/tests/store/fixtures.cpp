#include "store/fixtures.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sqlite3.h>

#include <boost/test/unit_test.hpp>

#include "store/names.hpp"

namespace opgate::store::test {
namespace {

core::ImplementationResult implementation(const std::string& name, std::int64_t base_ns) {
  core::ImplementationResult result;
  result.measurement = {.name = name,
                        .samples = {},
                        .protocol = Protocol::method_1,
                        .timing = Timing::cuda_events,
                        .flush = Flush::memset,
                        .launch = Launch::queued,
                        .launch_reason = "the call \"synchronises\"",
                        .pacing = 0.5,
                        .warmup_iterations = 17,
                        .retries = 2,
                        .pass_medians_ns = {1696.5, 1.0 / 3.0},
                        .device = 3};
  for (int i = 0; i < 20; ++i) {
    result.measurement.samples.push_back({.busy_ns = base_ns + i % 5 * 32,
                                          .latency_ns = base_ns + 4000 + i,
                                          .gap_ns = 4000 + i - i % 5 * 32,
                                          .n_kernels = i % 3 == 0 ? std::nullopt : std::optional(i % 3),
                                          .sm_mhz = i % 4 == 0 ? std::nullopt : std::optional(1980 - 15 * (i % 4)),
                                          .group = static_cast<std::uint32_t>(i % 2),
                                          .work_ns = i % 5 == 0 ? std::nullopt : std::optional(base_ns + 77 * i)});
  }
  result.kernels = {{"_Z10add_kernelPKfPf", {132, 2, 3}, {256, 1, 4}, 40, 1024, 2048},
                    {"sum", {1, 1, 1}, {32, 1, 1}, 8, 1, 2}};
  result.kernel_groups = {"2 x add_kernel + 1 x sum", "1 x \"sum\""};
  result.launches = {{{{"_Z10add_kernelPKfPf", 2}, {"sum", 1}}, 3}, {{{"sum", 1}}, 0}};
  result.iterations_asked = 21;
  return result;
}

core::DeviceState state(std::int32_t offset) {
  return {.sm_mhz = 1980 + offset,
          .memory_mhz = 3201 + offset,
          .temperature_c = 41 + offset,
          .power_mw = 350'000 + offset,
          .throttle_reasons = 0x8000'0000'0000'0004ULL,
          .other_processes = {4711, 4712 + offset}};
}

core::Attempt attempt(int number, const std::string& purpose, core::Status status) {
  core::Attempt attempt;
  attempt.number = number;
  attempt.processes = 4;
  attempt.purpose = purpose;
  attempt.status = status;
  attempt.error = ErrorKind::records_lost;
  attempt.phase = "measure";
  attempt.message = "case: lost 3 records\n  fix: \xe2\x80\x9cmeasure fewer\xe2\x80\x9d";
  attempt.implementations = {implementation("", 1696), implementation("cublas", 1'351'000)};
  attempt.device = {.name = "NVIDIA H200",
                    .uuid = "GPU-aaaa",
                    .driver = "580.159.03",
                    .cuda = "13.0",
                    .cupti = "130001",
                    .index = 2,
                    .sm_count = 132,
                    .l2_bytes = 62'914'560,
                    .memory_bytes = 150'754'820'096,
                    .compute_capability = 90,
                    .max_sm_mhz = 1980,
                    .tick_ns = 32};
  attempt.before = state(0);
  attempt.after = state(1);
  attempt.started_unix_ms = 1'760'000'001'000 + number;
  attempt.wall_ns = 330'123'456;
  attempt.phase_wall_ns = {{"context", 250'000'001}, {"measure", 32'000'002}};
  attempt.replayed = number == 2;
  return attempt;
}

std::string text_of(const core::DeviceState& s) {
  const auto number = [](const auto& value) { return value ? fmt::format("{}", *value) : "-"; };
  return fmt::format("[{} {} {} {} {} {}]", number(s.sm_mhz), number(s.memory_mhz), number(s.temperature_c),
                     number(s.power_mw), number(s.throttle_reasons), fmt::join(s.other_processes, ","));
}

std::string text_of(const core::ImplementationResult& i) {
  const Measurement& m = i.measurement;
  std::string text = fmt::format("  {}|{}|{}|{}|{}|{}|{}|{}|{}|{}|{}\n", m.name, name_of(m.protocol), name_of(m.timing),
                                 name_of(m.flush), name_of(m.launch), m.warmup_iterations, m.retries, m.device,
                                 m.launch_reason, m.pacing, i.iterations_asked.value_or(-1));
  for (const double median : m.pass_medians_ns) {
    text += fmt::format("  {:a}", median);
  }
  for (const Sample& s : m.samples) {
    text += fmt::format("\n  {} {} {} {} {} {} {}", s.busy_ns, s.latency_ns, s.gap_ns, s.n_kernels.value_or(-1),
                        s.sm_mhz.value_or(-1), s.group, s.work_ns.value_or(-1));
  }
  for (const core::KernelInfo& k : i.kernels) {
    text += fmt::format("\n  {} {} {} {} {} {}", k.name, fmt::join(k.grid, ","), fmt::join(k.block, ","), k.registers,
                        k.static_shared_bytes, k.dynamic_shared_bytes);
  }
  for (const core::GroupLaunches& launches : i.launches) {
    text += fmt::format("\n  {} {}", launches.kernels, launches.copies);
  }
  return text + fmt::format("\n  {}\n", fmt::join(i.kernel_groups, "|"));
}

std::string text_of(const core::Attempt& a) {
  const core::DeviceIdentity& d = a.device;
  std::string text =
      fmt::format("{} of {} {} {} {}|{}|{}|{} {} {}\n", a.number, a.processes, a.purpose, core::to_string(a.status),
                  a.error ? name_of(*a.error) : "-", a.phase, a.message, a.started_unix_ms, a.wall_ns, a.replayed);
  text += fmt::format(" {}|{}|{}|{}|{} {} {} {} {} {} {} {}\n", d.name, d.uuid, d.driver, d.cuda, d.cupti, d.index,
                      d.sm_count, d.l2_bytes, d.memory_bytes, d.compute_capability, d.max_sm_mhz, d.tick_ns);
  text += fmt::format(" {} {} {}\n", text_of(a.before), text_of(a.after), a.phase_wall_ns);
  for (const core::ImplementationResult& i : a.implementations) {
    text += text_of(i);
  }
  return text;
}

std::string exact(const std::optional<double>& value) {
  return value ? fmt::format("{:a}", *value) : "-";
}

}  // namespace

CaseResult full_result() {
  CaseResult result;
  result.identity = {.name = "gemm.b.f16",
                     .op = "gemm",
                     .workload = "b",
                     .dtype = "f16",
                     .dimensions = {{"m", 4096}, {"n", 9'007'199'254'740'993}},
                     .params = {{"eps", 1e-6}, {"third", 1.0 / 3.0}},
                     .generator = "philox-1 seed 0",
                     .copies = "count",
                     .flops = 137438953472.0,
                     .bytes_read = 1e8 + 1,
                     .bytes_written = 3.5};
  result.rule = {.tolerance = 0.04,
                 .other_unit_extra = 0.05,
                 .ticks = 4,
                 .noise_factor = 4.5,
                 .min_runs = 6,
                 .clock_contradiction = 0.02,
                 .min_group_samples = 11,
                 .share_tolerance = 0.07,
                 .outlier_runs = 9,
                 .creep_budget = 0.025,
                 .version = 1};
  result.labels = {"nightly", "gate"};
  result.attempts = {attempt(1, "first", core::Status::measured), attempt(2, "confirm", core::Status::untrusted)};
  result.judgement =
      core::Judgement{.verdict = core::Verdict::regressed,
                      .metric = core::Metric::cycles,
                      .baseline_ns = 1696.25,
                      .measured_ns = 1900.0 / 3.0,
                      .change_pct = 12.1,
                      .threshold_pct = 5.7,
                      .detectable_pct = 5.8,
                      .reason = "12.1 % over the baseline's 1.696 us",
                      .notes = {"another unit", "flops differ"},
                      .rule_version = result.rule.version,
                      .origin_change_pct = 2.75,
                      .subtick_change_pct = -1.0 / 3.0,
                      .waiver = core::Waiver{result.identity.name, "NVIDIA H200", "Ada", "known", "2026-12-31"}};
  result.exit_code = core::ExitCode::regression;
  result.times_recorded = 2;
  return result;
}

CaseResult small_result(const std::string& name, std::int64_t busy_ns) {
  CaseResult result;
  result.identity.name = name;
  core::ImplementationResult ours;
  ours.measurement.samples = {{busy_ns, busy_ns, 0, 1, std::nullopt, 0},
                              {busy_ns + 32, busy_ns + 32, 0, 1, std::nullopt, 0}};
  core::Attempt first;
  first.status = core::Status::measured;
  first.implementations = {ours};
  result.attempts = {first};
  result.exit_code = core::ExitCode::pass;
  return result;
}

std::string text_of(const CaseResult& r) {
  std::string text = fmt::format("{}|{}|{}|{}|{}|{}", r.identity.name, r.identity.op, r.identity.workload,
                                 r.identity.dtype, r.identity.generator, r.identity.copies);
  for (const auto& [name, value] : r.identity.dimensions) {
    text += fmt::format(" {}={}", name, value);
  }
  for (const auto& [name, value] : r.identity.params) {
    text += fmt::format(" {}={:a}", name, value);
  }
  text += fmt::format(" {} {} {}\n", exact(r.identity.flops), exact(r.identity.bytes_read),
                      exact(r.identity.bytes_written));
  text += fmt::format("{:a} {:a} {} {:a} {} {:a} {} {:a}\n", r.rule.tolerance, r.rule.other_unit_extra, r.rule.ticks,
                      r.rule.noise_factor, r.rule.min_runs, r.rule.clock_contradiction, r.rule.min_group_samples,
                      r.rule.share_tolerance);
  text += fmt::format("{} {:a} rule {}\n", r.rule.outlier_runs, r.rule.creep_budget, r.rule.version);
  text += fmt::format("{} x{} exit {}\n", fmt::join(r.labels, ","), r.times_recorded,
                      r.exit_code ? static_cast<int>(*r.exit_code) : -1);
  if (r.judgement) {
    const core::Judgement& j = *r.judgement;
    text += fmt::format("{} {} {} {} {} {} {} {} {}\n", core::to_string(j.verdict), core::to_string(j.metric),
                        exact(j.baseline_ns), exact(j.measured_ns), exact(j.change_pct), exact(j.threshold_pct),
                        exact(j.detectable_pct), j.reason, fmt::join(j.notes, "|"));
    const core::Waiver w = j.waiver.value_or(core::Waiver{});
    text += fmt::format("rule {} {} {} waived {} {} {} {} {} {}\n", j.rule_version, exact(j.origin_change_pct),
                        exact(j.subtick_change_pct), j.waiver.has_value(), w.case_name, w.device, w.owner, w.reason,
                        w.expires);
  }
  for (const core::Attempt& a : r.attempts) {
    text += text_of(a);
  }
  return text;
}

std::string text_of(const RunInfo& r) {
  return fmt::format("{} {} {} {} {}|{}|{}|{} {}|{}|{}", r.uuid, r.origin, r.started_unix_ms,
                     r.closed_unix_ms.value_or(-1), r.host, r.commit, r.dirty, r.replayed, r.label, r.options,
                     fmt::join(r.selected, ","));
}

void execute(const std::filesystem::path& path, const std::string& sql) {
  sqlite3* database = nullptr;
  BOOST_REQUIRE_EQUAL(sqlite3_open(path.c_str(), &database), SQLITE_OK);
  BOOST_TEST(sqlite3_exec(database, sql.c_str(), nullptr, nullptr, nullptr) == SQLITE_OK, sql);
  sqlite3_close(database);
}

std::string refusal_of(const std::filesystem::path& path) {
  try {
    const History history = History::open_for_reading(path);
    static_cast<void>(history.runs());
    return std::to_string(history.results({}).size()) + " results";
  } catch (const Error& error) {
    return error.what();
  }
}

}  // namespace opgate::store::test
