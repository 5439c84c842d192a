#include "collect/cupti_search.hpp"

#include <dlfcn.h>
#include <fmt/format.h>
#include <link.h>

#include <algorithm>
#include <system_error>

#include "opgate/error.hpp"

namespace opgate::collect {

namespace fs = std::filesystem;

namespace {

std::vector<fs::path> listed(const std::string& path) {
  std::vector<fs::path> folders;
  for (std::size_t from = 0; from < path.size();) {
    const std::size_t to = std::min(path.find(':', from), path.size());
    if (to > from) folders.emplace_back(path.substr(from, to - from));
    from = to + 1;
  }
  return folders;
}

LoadedLibrary opened(const std::string& file, int more_flags = 0) {
  void* const handle = ::dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL | more_flags);
  if (handle == nullptr) return {};
  const ::link_map* map = nullptr;
  const bool named = ::dlinfo(handle, RTLD_DI_LINKMAP, &map) == 0 && map != nullptr && map->l_name != nullptr;
  return {handle, named ? map->l_name : file};
}

std::string loader_says() {
  const char* const text = ::dlerror();
  return text == nullptr ? "unknown reason" : text;
}

LoadedLibrary load_chosen(const std::string& file) {
  if (LoadedLibrary library = opened(file); library.handle != nullptr) return library;
  throw Error(ErrorKind::cupti, fmt::format("CUPTI cannot be loaded: {}", loader_says()), "OPGATE_CUPTI_LIBRARY",
              "name the libcupti of a CUDA toolkit, or unset OPGATE_CUPTI_LIBRARY");
}

}  // namespace

CuptiSearch cupti_search(const std::string& name, const std::string& built_with,
                         const std::function<const char*(const char*)>& variable) {
  const auto value = [&](const char* of) {
    const char* const found = variable(of);
    return found == nullptr ? std::string() : std::string(found);
  };
  CuptiSearch search{name, value("OPGATE_CUPTI_LIBRARY"), listed(value("LD_LIBRARY_PATH"))};
  if (!built_with.empty()) search.folders.emplace_back(built_with);
  for (const std::string& root : {value("CUDA_HOME"), value("CUDA_PATH"), std::string("/usr/local/cuda")}) {
    if (root.empty()) continue;
    for (const char* below : {"lib64", "lib", "extras/CUPTI/lib64"}) search.folders.push_back(fs::path(root) / below);
  }
  return search;
}

LoadedLibrary load_cupti(const CuptiSearch& search) {
  if (!search.chosen.empty()) return load_chosen(search.chosen);
  // An op may have brought it along; two of them in a process would not know of each other.
  if (LoadedLibrary library = opened(search.name, RTLD_NOLOAD); library.handle != nullptr) return library;
  std::string looked;
  for (const fs::path& folder : search.folders) {
    const fs::path file = folder / search.name;
    std::error_code ignored;
    if (!fs::exists(file, ignored)) {
      looked += fmt::format("{}{}", looked.empty() ? "" : ", ", folder.string());
      continue;
    }
    if (LoadedLibrary library = opened(file.string()); library.handle != nullptr) return library;
    looked += fmt::format("{}{} (is there, but: {})", looked.empty() ? "" : ", ", folder.string(), loader_says());
  }
  if (LoadedLibrary library = opened(search.name); library.handle != nullptr) return library;
  const std::string reason = loader_says();
  throw Error(ErrorKind::cupti,
              fmt::format("{} cannot be loaded: it was looked for in {}, and by the system's loader ({})", search.name,
                          looked.empty() ? "no folder" : looked, reason),
              "CUPTI",
              "install CUPTI of the CUDA toolkit that opgate was built with, or name its folder in LD_LIBRARY_PATH, or "
              "the file in OPGATE_CUPTI_LIBRARY");
}

}  // namespace opgate::collect
