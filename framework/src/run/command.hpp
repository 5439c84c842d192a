#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace opgate::run {

struct CapturedCommand {
  int exit_status = -1;  // 127: not found, -1: killed
  std::string output;    // standard output; standard error is discarded
};

// Runs a program found on the PATH, without a shell, in `folder` when given. Used for git and ctest.
[[nodiscard]] CapturedCommand capture(const std::vector<std::string>& words,
                                      const std::optional<std::filesystem::path>& folder = std::nullopt);
// The same; each line of the output is handed on as it comes.
[[nodiscard]] CapturedCommand capture(const std::vector<std::string>& words,
                                      const std::optional<std::filesystem::path>& folder,
                                      const std::function<void(const std::string& line)>& on_line);
[[nodiscard]] std::string first_line(const std::string& text);
// The words with blanks between, to be read by a person and not by a shell.
[[nodiscard]] std::string in_one_line(const std::vector<std::string>& words);

}  // namespace opgate::run
