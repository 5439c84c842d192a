#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/verdict.hpp"

namespace opgate::core {

inline CaseIdentity gemm_identity() {
  CaseIdentity identity;
  identity.name = "gemm.square.bf16";
  identity.op = "gemm";
  identity.workload = "square";
  identity.dtype = "bf16";
  identity.dimensions = {{"m", 64}, {"n", 64}};
  identity.params = {{"alpha", 1.0}};
  identity.generator = "philox-1 seed 0";
  identity.flops = 1000;
  identity.bytes_read = 200;
  identity.bytes_written = 100;
  return identity;
}

inline Conditions usual_conditions() {
  return {.device_name = "NVIDIA H200",
          .driver_branch = "580",
          .cuda = "13.0",
          .protocol = "opgate-1",
          .timing = "cupti",
          .flush = "read",
          .launch = "direct",
          .pacing = "none",
          .processes = "1"};
}

// A run whose 20 samples are all alike.
inline CaseRun run_of(std::int64_t busy_ns, std::optional<std::int32_t> sm_mhz = std::nullopt,
                      const std::string& unit = "GPU-a") {
  CaseRun run;
  run.identity = gemm_identity();
  run.conditions = usual_conditions();
  run.unit = unit;
  run.tick_ns = 32;
  run.max_sm_mhz = 2000;
  run.group_names = {"1 x gemm"};
  Sample sample;
  sample.busy_ns = busy_ns;
  sample.latency_ns = busy_ns;
  sample.n_kernels = 1;
  sample.sm_mhz = sm_mhz;
  run.samples.assign(20, sample);
  return run;
}

inline std::vector<CaseRun> runs_of(const std::vector<std::int64_t>& medians_ns,
                                    std::optional<std::int32_t> sm_mhz = std::nullopt,
                                    const std::string& unit = "GPU-a") {
  std::vector<CaseRun> runs;
  for (const std::int64_t busy_ns : medians_ns) {
    runs.push_back(run_of(busy_ns, sm_mhz, unit));
  }
  return runs;
}

// Five runs of 100 us without any noise: the limit is the tolerance of 1 %.
inline CaseBaseline steady_baseline(std::int64_t busy_ns = 100'000) {
  return summarise(runs_of({busy_ns, busy_ns, busy_ns, busy_ns, busy_ns}));
}

inline Judgement judged(const CaseBaseline& baseline, const CaseRun& run,
                        const std::optional<CaseRun>& confirmation = std::nullopt) {
  return judge(baseline, run, confirmation, {});
}

inline bool any_says(const std::vector<std::string>& texts, const std::string& part) {
  for (const std::string& text : texts) {
    if (text.find(part) != std::string::npos) {
      return true;
    }
  }
  return false;
}

}  // namespace opgate::core

#define OPGATE_CHECK_VERDICT(judgement, expected)                                                     \
  BOOST_CHECK_MESSAGE((judgement).verdict == (expected),                                              \
                      "verdict is " << to_string((judgement).verdict) << ": " << (judgement).reason); \
  BOOST_TEST(!(judgement).reason.empty())
