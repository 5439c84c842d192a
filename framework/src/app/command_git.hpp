#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace opgate::app {

// First line of what `git -C folder words...` prints; nothing when git is missing or fails.
[[nodiscard]] std::optional<std::string> git(const std::filesystem::path& folder,
                                             const std::vector<std::string>& words);

// Who accepts: git's user.name and user.email, else USER, else the account's name, else its number.
[[nodiscard]] std::string accepting_person(const std::filesystem::path& folder);

}  // namespace opgate::app
