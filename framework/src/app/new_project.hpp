#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace opgate::app {

struct NewFile {
  std::filesystem::path path;  // relative to the project
  std::string content;
  bool may_exist = false;  // left as it is when there is one already
};

// The smallest project that gates one op: its CMakeLists.txt, the op with a reference, the spec. Pure.
[[nodiscard]] std::vector<NewFile> new_project(const std::string& project, const std::string& op);
// A folder's name as CMake's project() takes it.
[[nodiscard]] std::string project_name(const std::filesystem::path& folder);

}  // namespace opgate::app
