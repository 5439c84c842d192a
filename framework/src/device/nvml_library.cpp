#include "device/nvml_library.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <cstdlib>
#include <map>
#include <mutex>

namespace opgate::device {

const NvmlLibrary& NvmlLibrary::instance() {
  // Never unloaded: NVML's threads and handles live as long as the process.
  static std::mutex mutex;
  static auto* const libraries = new std::map<std::string, const NvmlLibrary*>();
  const char* const chosen = std::getenv("OPGATE_NVML_LIBRARY");
  const std::string path = chosen != nullptr && *chosen != '\0' ? chosen : "libnvidia-ml.so.1";
  const std::lock_guard lock(mutex);
  const NvmlLibrary*& library = (*libraries)[path];
  if (library == nullptr) library = new NvmlLibrary(path);
  return *library;
}

NvmlLibrary::NvmlLibrary(const std::string& path) : handle_(::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL)) {
  if (handle_ == nullptr) {
    const char* const text = ::dlerror();
    problem_ = fmt::format("NVML cannot be loaded: {}", text == nullptr ? path : text);
    return;
  }
  const int code = call("nvmlInit_v2");
  if (code != kSuccess) problem_ = fmt::format("NVML cannot be initialised: {}", reason(code));
}

void* NvmlLibrary::find(const char* function) const {
  return handle_ == nullptr ? nullptr : ::dlsym(handle_, function);
}

std::string NvmlLibrary::reason(int code) const {
  const char* text = nullptr;
  if (void* const symbol = find("nvmlErrorString")) {
    text = reinterpret_cast<const char* (*)(int)>(symbol)(code);
  }
  return text == nullptr ? fmt::format("NVML error {}", code) : text;
}

}  // namespace opgate::device
