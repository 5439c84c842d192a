#include "exchange/csv.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <span>
#include <tuple>

#include "exchange/csv_rows.hpp"
#include "exchange/fingerprint.hpp"
#include "opgate/error.hpp"

namespace opgate::exchange {

namespace {

std::string group_name(std::optional<std::int32_t> n_kernels) {
  if (!n_kernels) return "unknown kernels";
  return *n_kernels == 1 ? "1 kernel" : fmt::format("{} kernels", *n_kernels);
}

core::ImplementationResult implementation_of(std::span<const SampleRow> rows) {
  std::map<std::optional<std::int32_t>, std::uint32_t> groups;
  for (const SampleRow& row : rows) groups.emplace(row.n_kernels, 0);
  core::ImplementationResult result;
  result.imported.emplace();
  for (auto& [n_kernels, group] : groups) {
    group = static_cast<std::uint32_t>(result.kernel_groups.size());
    result.kernel_groups.push_back(group_name(n_kernels));
  }
  result.measurement.samples.reserve(rows.size());
  for (const SampleRow& row : rows) {
    result.measurement.samples.push_back({row.busy_ns, row.latency_ns, row.latency_ns - row.busy_ns, row.n_kernels,
                                          row.sm_mhz, groups.at(row.n_kernels)});
  }
  return result;
}

store::CaseResult result_of(const std::string& case_name, std::span<const SampleRow> rows, std::int32_t max_sm_mhz,
                            std::int64_t imported_unix_ms) {
  store::CaseResult result;
  result.identity = imported_identity(case_name);
  core::Attempt attempt;
  if (rows.empty()) {
    attempt = attempt_without_number(core::Status::untrusted,
                                     case_name + ": every reading is zero or less\n  fix: measure the case again");
  } else {
    attempt.status = core::Status::measured;
    attempt.implementations.push_back(implementation_of(rows));
  }
  attempt.started_unix_ms = imported_unix_ms;
  attempt.device.max_sm_mhz = max_sm_mhz;
  result.exit_code = exit_code_of(attempt.status);
  result.attempts.push_back(std::move(attempt));
  return result;
}

// Sorted by run, case name, iteration; a repeated iteration is an error.
std::vector<SampleRow> sorted_rows(const SampleRows& file, const std::string& name_for_messages) {
  std::vector<std::size_t> by_name(file.case_names.size());
  for (std::size_t i = 0; i < by_name.size(); ++i) by_name[i] = i;
  std::sort(by_name.begin(), by_name.end(),
            [&](std::size_t a, std::size_t b) { return file.case_names[a] < file.case_names[b]; });
  std::vector<std::size_t> rank(by_name.size());
  for (std::size_t i = 0; i < by_name.size(); ++i) rank[by_name[i]] = i;

  std::vector<SampleRow> rows = file.rows;
  const auto key = [&](const SampleRow& row) { return std::tuple(row.run, rank[row.case_index], row.iteration); };
  std::stable_sort(rows.begin(), rows.end(), [&](const SampleRow& a, const SampleRow& b) { return key(a) < key(b); });
  const auto twice = std::adjacent_find(rows.begin(), rows.end(),
                                        [&](const SampleRow& a, const SampleRow& b) { return key(a) == key(b); });
  if (twice != rows.end()) {
    throw Error(ErrorKind::io,
                fmt::format("iteration {} of {} in run {} stands on line {} already", twice->iteration,
                            file.case_names[twice->case_index], twice->run, twice->line),
                fmt::format("{}:{}", name_for_messages, std::next(twice)->line),
                "number the iterations of a case from 0 on, each once");
  }
  return rows;
}

// The first of `rows` that belongs to another run or case than the front.
std::size_t extent_of(std::span<const SampleRow> rows) {
  const auto end = std::find_if(rows.begin(), rows.end(), [&](const SampleRow& row) {
    return row.run != rows.front().run || row.case_index != rows.front().case_index;
  });
  return static_cast<std::size_t>(end - rows.begin());
}

// Counted before anything is made of them: a result takes much more memory than its line.
void check_results(std::span<const SampleRow> rows, const std::string& name_for_messages) {
  std::size_t results = 0;
  while (!rows.empty()) {
    if (results++ == kMostResults) {
      throw Error(ErrorKind::io, fmt::format("more than {} results, which are cases in runs", kMostResults),
                  fmt::format("{}:{}", name_for_messages, rows.front().line), "split the file by runs");
    }
    rows = rows.subspan(extent_of(rows));
  }
}

void add_to(Fingerprint& fingerprint, const SampleRow& row) {
  fingerprint.add(row.iteration);
  fingerprint.add(row.busy_ns);
  fingerprint.add(row.latency_ns);
  fingerprint.add(row.n_kernels.value_or(-1));
  fingerprint.add(row.sm_mhz.value_or(-1));
}

}  // namespace

ImportedFile parse_sample_csv(std::string_view text, const std::string& name_for_messages,
                              std::int64_t imported_unix_ms) {
  const SampleRows file = read_sample_rows(text, name_for_messages);
  std::vector<SampleRow> rows = sorted_rows(file, name_for_messages);
  check_results(rows, name_for_messages);
  std::int32_t max_sm_mhz = 0;
  for (const SampleRow& row : rows) max_sm_mhz = std::max(max_sm_mhz, row.sm_mhz.value_or(0));

  ImportedFile imported;
  Fingerprint fingerprint;
  for (std::span<SampleRow> rest = rows; !rest.empty();) {
    const std::size_t extent = extent_of(rest);
    const std::span<SampleRow> samples = rest.first(extent);
    const std::string& case_name = file.case_names[samples.front().case_index];
    if (imported.runs.empty() || imported.runs.back().info.id != samples.front().run) {
      imported.runs.emplace_back().info.id = samples.front().run;
      imported.runs.back().numbered = true;
      fingerprint = Fingerprint();
      fingerprint.add(samples.front().run);
    }
    fingerprint.add(case_name);
    for (const SampleRow& row : samples) add_to(fingerprint, row);

    const auto kept_end =
        std::stable_partition(samples.begin(), samples.end(), [](const SampleRow& row) { return row.busy_ns > 0; });
    const auto kept = static_cast<std::size_t>(kept_end - samples.begin());
    ImportedRun& run = imported.runs.back();
    run.info.uuid = fingerprint.uuid();
    run.info.selected.push_back(case_name);
    run.samples += static_cast<std::int64_t>(kept);
    imported.ignored += static_cast<std::int64_t>(extent - kept);
    run.results.push_back(result_of(case_name, samples.first(kept), max_sm_mhz, imported_unix_ms));
    rest = rest.subspan(extent);
  }
  return imported;
}

}  // namespace opgate::exchange
