#pragma once

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>

namespace opgate::device {

// One lock file per GPU, taken before CUDA is initialised: nothing else may touch the GPU while a case measures.
// Released when destroyed or when the process dies (flock). Safe against symlinks and other users' files.
class DeviceLock {
 public:
  // Waits at most `bound`; Error(device) naming the holder's pid and case when it was not obtained.
  // key: GPU UUID or PCI bus id where known, else "gpu<index>".
  static DeviceLock acquire(const std::string& key, const std::string& purpose, std::chrono::milliseconds bound);

  DeviceLock(DeviceLock&& other) noexcept;
  DeviceLock& operator=(DeviceLock&& other) noexcept;
  DeviceLock(const DeviceLock&) = delete;
  DeviceLock& operator=(const DeviceLock&) = delete;
  ~DeviceLock();

  [[nodiscard]] std::chrono::milliseconds waited() const noexcept { return waited_; }
  // Where lock files lie: OPGATE_LOCK_DIR, else a per-machine folder under the system's temporary folder.
  static std::filesystem::path folder();

 private:
  DeviceLock(int descriptor, std::chrono::milliseconds waited) : descriptor_(descriptor), waited_(waited) {}
  int descriptor_ = -1;
  std::chrono::milliseconds waited_{0};
};

}  // namespace opgate::device
