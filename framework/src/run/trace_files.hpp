#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace opgate::run {

inline constexpr const char* kTraceSuffix = ".trace.jsonl";
inline constexpr const char* kConfirmSuffix = ".confirm.trace.jsonl";

// <folder>/<case>.trace.jsonl, else <folder>/faults/<case>.trace.jsonl; of a confirmation: .confirm.trace.jsonl.
[[nodiscard]] std::optional<std::filesystem::path> find_trace(const std::filesystem::path& folder,
                                                              const std::string& case_name, bool confirmation);
// Where a confirming worker records when the first one recorded into `first`.
[[nodiscard]] std::filesystem::path confirmation_path(const std::filesystem::path& first);

}  // namespace opgate::run
