#include "app/command_git.hpp"

#include <pwd.h>
#include <unistd.h>

#include <cstdlib>

#include "run/command.hpp"

namespace opgate::app {

std::optional<std::string> git(const std::filesystem::path& folder, const std::vector<std::string>& words) {
  std::vector<std::string> command{"git"};
  command.insert(command.end(), words.begin(), words.end());
  const auto place = folder.empty() ? std::nullopt : std::optional(folder);
  const run::CapturedCommand finished = run::capture(command, place);
  std::string line = run::first_line(finished.output);
  if (finished.exit_status != 0 || line.empty()) return std::nullopt;
  return line;
}

std::string accepting_person(const std::filesystem::path& folder) {
  if (const auto name = git(folder, {"config", "user.name"})) {
    const auto address = git(folder, {"config", "user.email"});
    return address ? *name + " <" + *address + ">" : *name;
  }
  if (const char* user = std::getenv("USER"); user != nullptr && *user != '\0') return user;
  if (const passwd* account = getpwuid(geteuid()); account != nullptr) return account->pw_name;
  return "user " + std::to_string(geteuid());
}

}  // namespace opgate::app
