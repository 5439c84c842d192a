#pragma once

#include <sys/types.h>

#include <filesystem>
#include <string>

namespace opgate::device {

// What a lock file says about who holds it. Written by any user, so only printable text of bounded length is read.
struct LockHolder {
  pid_t pid = 0;  // 0: unknown
  std::string purpose;
};

// An open file in a folder that all users of the machine may write to. Never follows a symbolic link, never is
// anything but a regular file with one name, never is inherited by a program that is started.
class LockFile {
 public:
  LockFile(int folder, int descriptor, std::filesystem::path path)
      : folder_(folder), descriptor_(descriptor), path_(std::move(path)) {}
  LockFile(LockFile&& other) noexcept;
  LockFile& operator=(LockFile&&) = delete;
  LockFile(const LockFile&) = delete;
  LockFile& operator=(const LockFile&) = delete;
  ~LockFile();

  [[nodiscard]] int descriptor() const noexcept { return descriptor_; }
  [[nodiscard]] const std::filesystem::path& path() const noexcept { return path_; }
  // Is the open file still the one that its path names?
  [[nodiscard]] bool still_there() const;
  [[nodiscard]] LockHolder read_holder() const;
  void write_holder(const LockHolder& holder) const;
  // Gives the descriptor away.
  [[nodiscard]] int release() noexcept;

 private:
  int folder_;
  int descriptor_;
  std::filesystem::path path_;
};

class LockFolder {
 public:
  // Makes the folder when it is missing, writable for everyone with the sticky bit as /tmp is. Error(device) when it
  // cannot be used safely.
  explicit LockFolder(std::filesystem::path path);
  LockFolder(const LockFolder&) = delete;
  LockFolder& operator=(const LockFolder&) = delete;
  ~LockFolder();

  // "<key>.lock". Error(device) for a key that is not a plain file name, or a file that is not a lock file.
  [[nodiscard]] LockFile open(const std::string& key) const;

 private:
  int descriptor_ = -1;
  std::filesystem::path path_;
};

}  // namespace opgate::device
