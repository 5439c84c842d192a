#pragma once

#include <string>

namespace opgate::device {

// NVML, loaded at run time, because the driver ships the library and a machine without a driver has none. Types and
// values are those of nvml.h, which is not everywhere that opgate is built.
class NvmlLibrary {
 public:
  static constexpr int kSuccess = 0;            // NVML_SUCCESS
  static constexpr int kFunctionNotFound = 13;  // NVML_ERROR_FUNCTION_NOT_FOUND

  // The library named by OPGATE_NVML_LIBRARY, else libnvidia-ml.so.1; loaded and initialised once per path.
  static const NvmlLibrary& instance();
  NvmlLibrary(const NvmlLibrary&) = delete;
  NvmlLibrary& operator=(const NvmlLibrary&) = delete;
  ~NvmlLibrary() = default;

  // Why it cannot be used; "" when it can.
  [[nodiscard]] const std::string& problem() const noexcept { return problem_; }
  // Calls `function` with exactly these argument types; kFunctionNotFound when the library lacks it or is unusable.
  template <class... Arguments>
  [[nodiscard]] int call(const char* function, Arguments... arguments) const {
    void* const symbol = find(function);
    return symbol == nullptr ? kFunctionNotFound : reinterpret_cast<int (*)(Arguments...)>(symbol)(arguments...);
  }
  // NVML's own text for a code.
  [[nodiscard]] std::string reason(int code) const;

 private:
  explicit NvmlLibrary(const std::string& path);
  [[nodiscard]] void* find(const char* function) const;

  void* handle_ = nullptr;
  std::string problem_;
};

}  // namespace opgate::device
