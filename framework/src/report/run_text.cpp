#include "report/run_text.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <ctime>

namespace opgate::report {
namespace {

std::string machine_text(const core::DeviceIdentity& device) {
  std::string text = device.name;
  if (!device.driver.empty()) text += ", driver " + device.driver;
  if (!device.cuda.empty()) text += ", CUDA " + device.cuda;
  return text;
}

}  // namespace

std::string headline_of(const Report& report) {
  std::vector<std::string> parts;
  for (const Count& count : counts_in_order(report.counts)) {
    if (count.count > 0 && count.phrase != "pass") parts.push_back(fmt::format("{} {}", count.count, count.phrase));
  }
  const std::string of =
      fmt::format("{}{}", count_text(report.counts.expected, report.counts.selection_known ? "expected case" : "case"),
                  report.run.replayed ? ", NOT MEASURED" : "");
  if (!parts.empty()) return fmt::format("{} of {}", fmt::join(parts, ", "), of);
  return fmt::format("{} of {} {}", report.counts.of(Outcome::pass), of,
                     report.counts.of(Outcome::pass) == 1 ? "passes" : "pass");
}

std::vector<std::string> machines_of(const Report& report) {
  std::vector<std::string> machines;
  for (const ReportCase& one : report.cases) {
    const core::Attempt* const attempt = deciding_attempt(one.result);
    if (attempt == nullptr || attempt->device.name.empty()) continue;
    std::string text = machine_text(attempt->device);
    if (std::find(machines.begin(), machines.end(), text) == machines.end()) machines.push_back(std::move(text));
  }
  return machines;
}

std::string time_text(std::int64_t unix_ms) {
  if (unix_ms <= 0) return "time unknown";  // some imports do not say
  return fmt::format("{:%Y-%m-%d %H:%M} UTC", fmt::gmtime(static_cast<std::time_t>(unix_ms / 1000)));
}

}  // namespace opgate::report
