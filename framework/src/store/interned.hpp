#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/result.hpp"
#include "core/verdict.hpp"
#include "store/json_columns.hpp"
#include "store/sqlite.hpp"

namespace opgate::store {

// Row ids of values that repeat from result to result; inserted when new. Call inside a write transaction. An index
// finds them: the row is compared, because a new result would be sealed with what a flipped bit made of it.
[[nodiscard]] std::int64_t text_id(Connection& connection, const std::string& text);
[[nodiscard]] std::int64_t case_id(Connection& connection, const std::string& name);
// Absent where the history does not know the name. Error(history) where its index and the names do not agree.
[[nodiscard]] std::optional<std::int64_t> known_case(Connection& connection, const std::string& name);
[[nodiscard]] std::int64_t identity_id(Connection& connection, std::int64_t case_id,
                                       const core::CaseIdentity& identity);
[[nodiscard]] std::int64_t device_id(Connection& connection, const core::DeviceIdentity& device);

// The way back, parsing each value once however many rows share it. Lives as long as one read.
class InternedReader {
 public:
  explicit InternedReader(Connection& connection) : connection_(connection) {}
  [[nodiscard]] const core::CaseIdentity& identity(std::int64_t id);
  [[nodiscard]] const core::RuleOptions& rule(std::int64_t text_id);
  [[nodiscard]] const std::vector<std::string>& words(std::int64_t text_id);
  [[nodiscard]] const KernelSet& kernels(std::int64_t text_id);
  [[nodiscard]] const core::DeviceIdentity& device(std::int64_t id);

 private:
  [[nodiscard]] std::string text(std::int64_t id);

  Connection& connection_;
  std::map<std::int64_t, core::CaseIdentity> identities_;
  std::map<std::int64_t, core::RuleOptions> rules_;
  std::map<std::int64_t, std::vector<std::string>> words_;
  std::map<std::int64_t, KernelSet> kernels_;
  std::map<std::int64_t, core::DeviceIdentity> devices_;
};

}  // namespace opgate::store
