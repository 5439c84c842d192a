#include "app/command_files.hpp"

#include <algorithm>
#include <system_error>

#include "opgate/error.hpp"

namespace opgate::app {

namespace fs = std::filesystem;

namespace {

std::vector<fs::path> entries_of(const fs::path& folder, ErrorKind kind) {
  std::error_code problem;
  std::vector<fs::path> entries;
  for (fs::directory_iterator at(folder, problem), end; !problem && at != end; at.increment(problem)) {
    entries.push_back(at->path());
  }
  if (problem) throw Error(kind, problem.message(), folder.string(), "name a folder that can be read");
  std::sort(entries.begin(), entries.end());
  return entries;
}

}  // namespace

std::vector<fs::path> baseline_files(const fs::path& folder) {
  std::vector<fs::path> files;
  if (!fs::exists(folder)) return files;
  for (const fs::path& device : entries_of(folder, ErrorKind::baseline)) {
    if (!fs::is_directory(device)) continue;
    for (const fs::path& file : entries_of(device, ErrorKind::baseline)) {
      if (file.extension() == ".json") files.push_back(file);
    }
  }
  return files;
}

std::vector<fs::path> spec_files(const fs::path& folder) {
  std::vector<fs::path> files = entries_of(folder, ErrorKind::spec);
  std::erase_if(files, [](const fs::path& file) {
    return file.extension() != ".json" || file.filename().string().ends_with(".schema.json");
  });
  return files;
}

}  // namespace opgate::app
