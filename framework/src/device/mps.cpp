#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <system_error>

#include "device/fitness.hpp"

namespace opgate::device {
namespace {

namespace fs = std::filesystem;

std::string variable(const char* name, const char* otherwise) {
  const char* const value = std::getenv(name);
  return value == nullptr || *value == '\0' ? otherwise : value;
}

}  // namespace

MpsSigns look_for_mps() {
  MpsSigns signs;
  std::error_code problem;
  // A folder that is there for clients only, or was left behind, has no control pipe.
  const fs::path pipe = fs::path(variable("CUDA_MPS_PIPE_DIRECTORY", "/tmp/nvidia-mps")) / "control";
  if (fs::exists(pipe, problem)) signs.pipe = pipe.string();
  for (fs::directory_iterator entry(variable("OPGATE_PROC", "/proc"), problem), end; !problem && entry != end;
       entry.increment(problem)) {
    const std::string folder = entry->path().filename().string();
    std::int32_t pid = 0;
    if (std::from_chars(folder.data(), folder.data() + folder.size(), pid).ptr != folder.data() + folder.size())
      continue;
    std::ifstream file(entry->path() / "comm");
    std::string name;
    std::getline(file, name);
    // The kernel keeps 15 characters of "nvidia-cuda-mps-server".
    if (name.starts_with("nvidia-cuda-mps")) signs.daemons.push_back(pid);
  }
  return signs;
}

}  // namespace opgate::device
