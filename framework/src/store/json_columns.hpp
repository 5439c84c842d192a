#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/result.hpp"
#include "core/verdict.hpp"

namespace opgate::store {

// Detail that is shown but never searched is kept as JSON text. Writers give canonical text (sorted keys, shortest
// numbers that read back exactly), so that equal values are equal texts; readers throw Error(history) on other text.

struct AttemptDetail {
  core::DeviceState before;
  core::DeviceState after;
  std::map<std::string, std::int64_t> phase_wall_ns;
  int processes = 1;
};
[[nodiscard]] std::string to_json(const AttemptDetail& detail);
[[nodiscard]] AttemptDetail attempt_detail(const std::string& text);

// All of an identity but its name.
[[nodiscard]] std::string to_json(const core::CaseIdentity& identity);
[[nodiscard]] core::CaseIdentity case_identity(const std::string& name, const std::string& text);

// All of it but the method, which has columns of its own.
[[nodiscard]] std::string to_json(const core::Imported& imported);
[[nodiscard]] core::Imported imported_reading(const std::string& text);

[[nodiscard]] std::string to_json(const core::RuleOptions& rule);
[[nodiscard]] core::RuleOptions rule_options(const std::string& text);

[[nodiscard]] std::string to_json(const core::Waiver& waiver);
[[nodiscard]] core::Waiver waiver(const std::string& text);

// What a call launched: repeats from night to night, so its text is stored once.
struct KernelSet {
  std::vector<core::KernelInfo> kernels;
  std::vector<std::string> groups;
  std::vector<core::GroupLaunches> launches = {};  // older rows have none
};
[[nodiscard]] std::string to_json(const KernelSet& set);
[[nodiscard]] KernelSet kernel_set(const std::string& text);

// Of a call that varies, whose samples were pruned.
[[nodiscard]] std::string to_json(const std::vector<core::GroupReading>& groups);
[[nodiscard]] std::vector<core::GroupReading> group_readings(const std::string& text);

[[nodiscard]] std::string to_json(const std::vector<std::string>& words);
[[nodiscard]] std::vector<std::string> string_list(const std::string& text);
[[nodiscard]] std::string to_json(const std::vector<double>& numbers);
[[nodiscard]] std::vector<double> number_list(const std::string& text);

}  // namespace opgate::store
