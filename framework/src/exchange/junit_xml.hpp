#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace opgate::exchange {

struct Property {
  std::string name;
  std::string value;
  std::size_t offset = 0;  // of its element in the text
};

enum class TestOutcome : std::uint8_t { passed, failed, skipped };

struct TestCase {
  std::string class_name;
  std::string name;
  std::optional<double> seconds;
  std::optional<std::int64_t> started_unix_ms;  // of its suite
  std::string host;                             // of its suite
  TestOutcome outcome = TestOutcome::passed;
  std::string message;  // of its failure, error or skip
  std::vector<Property> properties;
  std::size_t offset = 0;
};

// "in.xml:3:17", line and column of a place in the text.
[[nodiscard]] std::string place_of(std::string_view text, std::size_t offset, const std::string& file);

// All <testcase> of a JUnit XML file, however its suites are nested. Error(io) at file:line:column for what is no such
// file, damaged, cut short, larger than 64 MiB, nested more than 64 levels deep or with a document type: no entity is
// ever defined, so none can expand.
[[nodiscard]] std::vector<TestCase> read_test_cases(std::string_view text, const std::string& name_for_messages);

}  // namespace opgate::exchange
