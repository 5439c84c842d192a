#include "exchange/junit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "exchange/fingerprint.hpp"
#include "exchange/junit_figures.hpp"
#include "exchange/junit_xml.hpp"
#include "exchange/values.hpp"
#include "opgate/error.hpp"
#include "text/clear_error.hpp"

namespace opgate::exchange {

namespace {

constexpr const char* kBaselineTag = "baseline_tag";
constexpr const char* kOp = "op";

struct Measured {
  const TestCase* test = nullptr;
  JunitFigures figures;
};

std::string case_name(const TestCase& test) {
  return test.class_name.empty() ? test.name : test.class_name + "." + test.name;
}

// The implementation that most cases have; a name that some case calls its baseline is the last choice.
std::string most_common(const std::vector<Measured>& cases) {
  std::map<std::string, std::size_t> counts;
  std::vector<std::string> order;
  std::set<std::string> baselines;
  for (const Measured& one : cases) {
    for (const std::string& name : one.figures.order) {
      if (++counts[name] == 1) order.push_back(name);
    }
    for (const Property& property : one.test->properties) {
      if (property.name == kBaselineTag) baselines.insert(property.value);
    }
  }
  const auto rank = [&](const std::string& name) { return std::pair(!baselines.contains(name), counts.at(name)); };
  const auto best =
      std::max_element(order.begin(), order.end(), [&](const auto& a, const auto& b) { return rank(a) < rank(b); });
  return best == order.end() ? std::string() : *best;
}

void take_identity(core::CaseIdentity& identity, const JunitFigures& figures, const JunitReading& reading) {
  identity.flops = reading.flops;
  identity.bytes = reading.bytes;
  identity.bytes_read = reading.bytes_read;
  identity.bytes_written = reading.bytes_written;
  if (!reading.dtype.empty()) identity.dtype = reading.dtype;
  for (const Property& property : figures.properties) {
    if (property.name == kOp) identity.op = op_of(property.value);
  }
}

// What another implementation says of its work is kept where it is not what ours says.
void keep_other_work(JunitReading& reading, const core::CaseIdentity& identity) {
  const auto keep = [&](const char* key, const std::optional<double>& value, const std::optional<double>& ours) {
    if (value && value != ours) reading.imported.properties.emplace(key, fmt::format("{}", *value));
  };
  keep("flops", reading.flops, identity.flops);
  keep("bytes", reading.bytes, identity.bytes);
  keep("bytes_read", reading.bytes_read, identity.bytes_read);
  keep("bytes_written", reading.bytes_written, identity.bytes_written);
  if (reading.dtype != identity.dtype && !reading.dtype.empty()) {
    reading.imported.properties.emplace("dtype", reading.dtype);
  }
}

core::ImplementationResult implementation_of(JunitReading reading, bool is_ours) {
  core::ImplementationResult result;
  result.measurement.name = is_ours ? "" : reading.imported.name;
  if (const auto n = reading.imported.summary->n_kernels) {
    result.kernel_groups.push_back(*n == 1 ? "1 kernel" : fmt::format("{} kernels", *n));
  }
  result.imported = std::move(reading.imported);
  return result;
}

core::Attempt attempt_of(const TestCase& test, const JunitFigures& figures) {
  if (test.outcome == TestOutcome::failed) {
    return attempt_without_number(core::Status::failed, test.message.empty() ? "the test failed" : test.message);
  }
  if (test.outcome == TestOutcome::skipped) {
    return attempt_without_number(core::Status::skipped, test.message.empty() ? "the test was skipped" : test.message);
  }
  if (figures.order.empty()) {
    return attempt_without_number(core::Status::untrusted,
                                  "every reading is zero or less\n  fix: measure the case again");
  }
  core::Attempt attempt;
  attempt.status = core::Status::measured;
  return attempt;
}

store::CaseResult result_of(Measured one, const std::string& ours, std::int64_t imported_unix_ms) {
  store::CaseResult result;
  result.identity = imported_identity(case_name(*one.test));
  core::Attempt attempt = attempt_of(*one.test, one.figures);
  attempt.started_unix_ms = one.test->started_unix_ms.value_or(imported_unix_ms);
  attempt.wall_ns = static_cast<std::int64_t>(one.test->seconds.value_or(0) * 1e9);
  const auto own = one.figures.readings.find(ours);
  take_identity(result.identity, one.figures, own == one.figures.readings.end() ? JunitReading{} : own->second);
  for (const std::string& name : one.figures.order) {
    JunitReading& reading = one.figures.readings.at(name);
    keep_other_work(reading, result.identity);
    attempt.implementations.push_back(implementation_of(std::move(reading), name == ours));
  }
  for (const Property& property : one.figures.properties) {
    result.labels.push_back(fmt::format("{}={}", property.name, property.value));
  }
  result.exit_code = exit_code_of(attempt.status);
  result.attempts.push_back(std::move(attempt));
  return result;
}

void describe_run(ImportedRun& run, const std::vector<TestCase>& tests, std::int64_t imported_unix_ms) {
  std::optional<std::int64_t> first;
  std::optional<std::int64_t> last;
  std::set<std::string> hosts;
  for (const TestCase& test : tests) {
    hosts.insert(test.host);
    if (!test.started_unix_ms) continue;
    first = std::min(first.value_or(*test.started_unix_ms), *test.started_unix_ms);
    last = std::max(last.value_or(*test.started_unix_ms), *test.started_unix_ms);
  }
  run.info.started_unix_ms = first.value_or(imported_unix_ms);
  run.info.closed_unix_ms = last.value_or(imported_unix_ms);
  if (hosts.size() == 1) run.info.host = *hosts.begin();
}

void note_choices(ImportedFile& file, const std::string& ours, bool asked, std::size_t without_figures) {
  if (!asked && !ours.empty()) {
    file.notes.push_back(
        fmt::format("'{}' is taken for the op itself; --ours NAME names another implementation", ours));
  }
  if (without_figures > 0) {
    file.notes.push_back(fmt::format("{} passed without a figure and {} left out", without_figures,
                                     without_figures == 1 ? "is" : "are"));
  }
}

}  // namespace

ImportedFile parse_junit(std::string_view text, const std::string& name_for_messages, std::int64_t imported_unix_ms,
                         const std::optional<std::string>& ours) {
  const std::vector<TestCase> tests = read_test_cases(text, name_for_messages);
  const auto error = [&](std::size_t offset, const std::string& what, const std::string& remedy) {
    return text::clear_error(ErrorKind::io, what, place_of(text, offset, name_for_messages), remedy);
  };
  ImportedFile file;
  std::vector<Measured> cases;
  std::size_t without_figures = 0;
  for (const TestCase& test : tests) {
    if (const auto fault = fault_of_name(case_name(test))) throw error(test.offset, fault->what, fault->remedy);
    Measured one{
        &test, figures_of(test.properties, [&](const Property& at, const std::string& what, const std::string& remedy) {
          return error(at.offset, what, remedy);
        })};
    file.ignored += one.figures.ignored;
    if (test.outcome == TestOutcome::passed && one.figures.order.empty() && one.figures.ignored == 0) {
      ++without_figures;
    } else {
      cases.push_back(std::move(one));
    }
  }
  if (cases.empty()) {
    throw error(0, "no test case has a figure, failed or was skipped",
                "give every test case properties such as device_busy_ms");
  }
  const std::string own = ours.value_or(most_common(cases));
  const bool known =
      std::any_of(cases.begin(), cases.end(), [&](const Measured& one) { return one.figures.readings.contains(own); });
  if (ours && !known) {
    throw error(0, fmt::format("no test case has figures of '{}'", *ours), "name an implementation of the file");
  }
  note_choices(file, own, ours.has_value(), without_figures);

  ImportedRun& run = file.runs.emplace_back();
  Fingerprint fingerprint;
  fingerprint.add("junit");
  fingerprint.add(text);
  run.info.uuid = fingerprint.uuid();
  describe_run(run, tests, imported_unix_ms);
  for (Measured& one : cases) run.results.push_back(result_of(std::move(one), own, imported_unix_ms));
  finish(run);
  return file;
}

}  // namespace opgate::exchange
