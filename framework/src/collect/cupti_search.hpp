#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace opgate::collect {

// Where libcupti is looked for. It is loaded when tracing is turned on, not linked: a machine that lacks it can run all
// else, and is told what is missing in more words than the loader's.
struct CuptiSearch {
  std::string name;                            // "libcupti.so.13"; the major version is that of the headers
  std::string chosen;                          // OPGATE_CUPTI_LIBRARY: this file and no other; "" for none
  std::vector<std::filesystem::path> folders;  // in this order; then where the system's loader looks
};

// LD_LIBRARY_PATH, as the loader does; the toolkit that opgate was built with; CUDA_HOME, CUDA_PATH, /usr/local/cuda.
// `variable` is std::getenv, or a test's own.
[[nodiscard]] CuptiSearch cupti_search(const std::string& name, const std::string& built_with,
                                       const std::function<const char*(const char*)>& variable);

struct LoadedLibrary {
  void* handle = nullptr;  // stays open
  std::string path;        // as the loader names it
};

// Error(cupti) naming the library and every place that was looked at, with what the loader said of files that are
// there.
[[nodiscard]] LoadedLibrary load_cupti(const CuptiSearch& search);

}  // namespace opgate::collect
