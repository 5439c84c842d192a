#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/result.hpp"
#include "opgate/bench.hpp"
#include "spec/spec.hpp"

namespace opgate::run {

enum class Mode : std::uint8_t {
  measure,
  check,    // compare with the reference only, no tracing: for sanitizers
  profile,  // run the call once, no tracing: for ncu and nsys
};

// The command line of a case executable.
struct CaseOptions {
  std::string case_name;
  Mode mode = Mode::measure;
  Protocol protocol = Protocol::opgate_1;
  Timing timing = Timing::cupti;
  std::optional<Flush> flush;
  std::optional<Launch> launch;
  std::optional<int> iterations;
  std::optional<int> processes;
  std::optional<double> pacing;
  std::optional<bool> probe_clock;
  std::size_t buffer_bytes = BenchOptions{}.buffer_bytes;
  std::optional<std::filesystem::path> record;
  bool store = true;
  std::optional<std::filesystem::path> history;
  std::optional<std::filesystem::path> baselines;
  int worker_fd = -1;      // set in the worker only: where its messages go
  int worker_attempt = 1;  // set in the worker only
  int records_fd = -1;     // set in the worker only: where it leaves its records
};

// All that is known of the case before a device is touched.
struct CaseRequest {
  core::CaseIdentity identity;
  spec::Case spec_case;
  std::vector<std::string> libraries;     // implementations to compare with, as listed in the spec
  std::optional<int> compute_capability;  // required
  std::optional<double> memory_gib;       // required
  bool count_copies = false;
  std::optional<std::filesystem::path> trace;  // replay this instead of measuring
};

// From a spec. Error(spec) when there is no such case.
[[nodiscard]] CaseRequest request_from_spec(const std::filesystem::path& spec, const std::string& case_name);
// From a recorded trace whose op has no spec here.
[[nodiscard]] CaseRequest request_from_trace(const std::filesystem::path& path, const std::string& case_name);

// The options that make a reading another one than a nightly's, as they are written on a command line; "" for none.
[[nodiscard]] std::string unusual_options(const CaseOptions& options);

[[nodiscard]] BenchOptions bench_options(const CaseRequest& request, const CaseOptions& options);

}  // namespace opgate::run
