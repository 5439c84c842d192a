#include "device/lock_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <string_view>
#include <system_error>
#include <utility>

#include "opgate/error.hpp"

namespace opgate::device {
namespace {

constexpr std::size_t kLongestKey = 128;
constexpr std::size_t kLongestPurpose = 200;
constexpr mode_t kFolderMode = 01777;
constexpr mode_t kFileMode = 0666;
constexpr const char* kElsewhere = "remove it if nothing else needs it, or point OPGATE_LOCK_DIR to another folder";

Error refuse(const std::filesystem::path& path, const std::string& what, const char* remedy = kElsewhere) {
  return {ErrorKind::device, what, path.string(), remedy};
}

Error system_failure(const std::filesystem::path& path, const char* doing) {
  return refuse(path, fmt::format("cannot {}: {}", doing, std::generic_category().message(errno)),
                "check its owner and permissions, or point OPGATE_LOCK_DIR to another folder");
}

bool plain_name(std::string_view key) {
  const auto allowed = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_' ||
           c == '.' || c == ':';
  };
  return !key.empty() && key.size() <= kLongestKey && key.front() != '.' &&
         std::all_of(key.begin(), key.end(), allowed);
}

std::string printable(std::string_view text) {
  std::string result;
  for (const char c : text.substr(0, kLongestPurpose)) {
    if (c == '\n') break;
    result += c >= ' ' && c <= '~' ? c : '?';
  }
  return result;
}

// Opened without O_CREAT first: the kernel refuses O_CREAT on other users' files in a sticky folder
// (fs.protected_regular).
int open_or_create(int folder, const std::string& name) {
  constexpr int kFlags = O_RDWR | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK | O_NOCTTY;
  for (int attempt = 0; attempt < 100; ++attempt) {
    int descriptor = ::openat(folder, name.c_str(), kFlags);
    if (descriptor >= 0 || errno != ENOENT) return descriptor;
    descriptor = ::openat(folder, name.c_str(), kFlags | O_CREAT | O_EXCL, kFileMode);
    if (descriptor >= 0) {
      static_cast<void>(::fchmod(descriptor, kFileMode));  // against the umask, so that other users can lock it too
      return descriptor;
    }
    if (errno != EEXIST) return descriptor;
  }
  return -1;
}

}  // namespace

LockFile::LockFile(LockFile&& other) noexcept
    : folder_(other.folder_), descriptor_(std::exchange(other.descriptor_, -1)), path_(std::move(other.path_)) {}

LockFile::~LockFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

int LockFile::release() noexcept {
  return std::exchange(descriptor_, -1);
}

bool LockFile::still_there() const {
  struct stat ours {};
  struct stat named {};
  return ::fstat(descriptor_, &ours) == 0 &&
         ::fstatat(folder_, path_.filename().c_str(), &named, AT_SYMLINK_NOFOLLOW) == 0 &&
         ours.st_dev == named.st_dev && ours.st_ino == named.st_ino;
}

LockHolder LockFile::read_holder() const {
  std::array<char, 32 + kLongestPurpose> buffer{};
  const ssize_t count = ::pread(descriptor_, buffer.data(), buffer.size(), 0);
  if (count <= 0) return {};
  const std::string_view text(buffer.data(), static_cast<std::size_t>(count));
  LockHolder holder;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), holder.pid);
  if (error != std::errc() || holder.pid <= 0) return {};
  const auto rest = static_cast<std::size_t>(end - text.data());
  holder.purpose = printable(text.substr(std::min(rest + 1, text.size())));
  return holder;
}

void LockFile::write_holder(const LockHolder& holder) const {
  // Only a help for whoever waits, so a full disk does not stop the measurement.
  const std::string text = fmt::format("{}\n{}\n", holder.pid, printable(holder.purpose));
  if (::ftruncate(descriptor_, 0) == 0) {
    [[maybe_unused]] const ssize_t written = ::pwrite(descriptor_, text.data(), text.size(), 0);
  }
}

LockFolder::LockFolder(std::filesystem::path path) : path_(std::move(path)) {
  if (::mkdir(path_.c_str(), 0700) == 0) {
    // Opened to everyone only once it is ours, and against the umask.
    if (::chmod(path_.c_str(), kFolderMode) != 0) throw system_failure(path_, "set the mode of the lock folder");
  } else if (errno != EEXIST) {
    throw system_failure(path_, "create the lock folder");
  }
  descriptor_ = ::open(path_.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (descriptor_ < 0) throw system_failure(path_, "open the lock folder");
  struct stat info {};
  const bool known = ::fstat(descriptor_, &info) == 0;
  const bool replaceable = known && (info.st_mode & S_IWOTH) != 0 && (info.st_mode & S_ISVTX) == 0;
  if (!known || replaceable) {
    ::close(descriptor_);
    throw refuse(path_, "every user can replace files in the lock folder", "set its mode to 1777 (chmod 1777)");
  }
}

LockFolder::~LockFolder() {
  ::close(descriptor_);
}

LockFile LockFolder::open(const std::string& key) const {
  if (!plain_name(key)) {
    throw refuse(path_, fmt::format("\"{}\" cannot name a lock file", printable(key)),
                 "name the GPU by its UUID, PCI bus id or index");
  }
  const std::string name = key + ".lock";
  const std::filesystem::path path = path_ / name;
  const int descriptor = open_or_create(descriptor_, name);
  if (descriptor < 0) {
    if (errno == ELOOP) throw refuse(path, "the lock file is a symbolic link");
    throw system_failure(path, "open the lock file");
  }
  LockFile file(descriptor_, descriptor, path);
  struct stat info {};
  if (::fstat(descriptor, &info) != 0) throw system_failure(path, "look at the lock file");
  if (!S_ISREG(info.st_mode)) throw refuse(path, "the lock file is not a regular file");
  // Writing the holder's name must not change a file that has another name elsewhere.
  if (info.st_nlink > 1) throw refuse(path, "the lock file has a second name (a hard link)");
  return file;
}

}  // namespace opgate::device
