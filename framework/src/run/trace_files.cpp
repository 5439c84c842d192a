#include "run/trace_files.hpp"

namespace opgate::run {

std::optional<std::filesystem::path> find_trace(const std::filesystem::path& folder, const std::string& case_name,
                                                bool confirmation) {
  const std::string file = case_name + (confirmation ? kConfirmSuffix : kTraceSuffix);
  for (const std::filesystem::path& candidate : {folder / file, folder / "faults" / file}) {
    std::error_code failed;
    if (std::filesystem::is_regular_file(candidate, failed)) {
      return candidate;
    }
  }
  return std::nullopt;
}

std::filesystem::path confirmation_path(const std::filesystem::path& first) {
  std::string text = first.string();
  const std::string suffix = kTraceSuffix;
  if (text.size() > suffix.size() && text.compare(text.size() - suffix.size(), suffix.size(), suffix) == 0) {
    text.resize(text.size() - suffix.size());
  }
  return text + kConfirmSuffix;
}

}  // namespace opgate::run
