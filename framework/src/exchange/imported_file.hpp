#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "store/history.hpp"

namespace opgate::exchange {

// One run of a file, ready to be stored. `info.uuid` is made from the content: the same run has the same one in every
// import. `info.id` is the number the file gives it, or 0.
struct ImportedRun {
  store::RunInfo info;
  std::vector<store::CaseResult> results;  // by case name
  std::int64_t samples = 0;
  bool numbered = false;  // info.id is the file's number, which may be 0
};

struct ImportedFile {
  std::vector<ImportedRun> runs;
  std::int64_t ignored = 0;        // readings of zero or less, which are no readings
  std::vector<std::string> notes;  // what a person should know: what was left out, what was taken for what
};

// Bounds of what is read, so that no file costs unbounded time or memory.
inline constexpr std::size_t kLongestCaseName = 1024;
inline constexpr std::size_t kLongestMessage = 16'384;
inline constexpr std::size_t kMostResults = 500'000;  // some 3 kB each

// Why `name` cannot be a case; absent when it can.
struct NameFault {
  std::string what;
  std::string remedy;
};
[[nodiscard]] std::optional<NameFault> fault_of_name(const std::string& name);

// "<op>.<workload>.<dtype>" where the name has that form; else the op is what stands before the first dot, or
// "imported".
[[nodiscard]] core::CaseIdentity imported_identity(const std::string& case_name);
// `text` as the name of an op, which names a file: lower case, other characters as "_". "imported" when nothing fits.
[[nodiscard]] std::string op_of(const std::string& text);

// At most kLongestMessage bytes, cut between characters and marked as cut.
[[nodiscard]] std::string bounded_message(std::string text);

// A case that ended without a number. `status`: failed, skipped or untrusted.
[[nodiscard]] core::Attempt attempt_without_number(core::Status status, const std::string& message);
[[nodiscard]] core::ExitCode exit_code_of(core::Status status);
// Sorts by case name. A case that is there twice becomes one that was recorded twice, the second time as a repeat. What
// the run selected are the cases it has.
void finish(ImportedRun& run);

}  // namespace opgate::exchange
