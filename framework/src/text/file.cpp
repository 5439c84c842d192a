#include "text/file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <system_error>
#include <utility>

namespace opgate::text {
namespace {

namespace fs = std::filesystem;

std::string reason(int error) {
  return std::generic_category().message(error);
}

Error failure(ErrorKind kind, const fs::path& path, const char* doing, int error, const char* remedy) {
  return {kind, fmt::format("cannot {}: {}", doing, reason(error)), path.string(), remedy};
}

class Descriptor {
 public:
  explicit Descriptor(int fd) noexcept : fd_(fd) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (fd_ >= 0) ::close(fd_);
  }
  [[nodiscard]] int get() const noexcept { return fd_; }
  [[nodiscard]] bool valid() const noexcept { return fd_ >= 0; }
  // Network file systems report a failed write here at the latest.
  [[nodiscard]] bool close() noexcept { return ::close(std::exchange(fd_, -1)) == 0; }

 private:
  int fd_;
};

// Owns the temporary file until it is renamed.
class Unlinker {
 public:
  explicit Unlinker(fs::path path) : path_(std::move(path)) {}
  Unlinker(const Unlinker&) = delete;
  Unlinker& operator=(const Unlinker&) = delete;
  ~Unlinker() {
    if (!path_.empty()) ::unlink(path_.c_str());
  }
  void release() { path_.clear(); }

 private:
  fs::path path_;
};

bool write_all(int fd, std::string_view content) {
  while (!content.empty()) {
    const ssize_t written = ::write(fd, content.data(), content.size());
    if (written < 0) {
      if (errno == EINTR) continue;
      return false;
    }
    content.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

// mkstemp would give mode 0600, and a umask cannot be read without changing it; so O_EXCL and a name of our own.
std::pair<int, fs::path> open_temporary(const fs::path& target) {
  static std::atomic<unsigned> counter{0};
  for (int attempt = 0; attempt < 100; ++attempt) {
    fs::path path = target;
    path.replace_filename(fmt::format(".{}.{}-{}.tmp", target.filename().string(), ::getpid(), counter++));
    const int fd = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (fd >= 0 || errno != EEXIST) return {fd, path};
  }
  return {-1, {}};
}

// A device, a pipe or a terminal, such as /dev/stdout: it is written to. As root a rename would put a file in its
// place.
bool takes_a_stream(const fs::path& path) {
  struct stat existing {};
  return ::stat(path.c_str(), &existing) == 0 && !S_ISREG(existing.st_mode) && !S_ISDIR(existing.st_mode);
}

// No text is ever meant to replace a database, such as the history: https://sqlite.org/fileformat2.html
bool is_database(const fs::path& path) {
  constexpr std::string_view kMagic("SQLite format 3\0", 16);
  std::array<char, kMagic.size()> head{};
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  return file.valid() && ::read(file.get(), head.data(), head.size()) == static_cast<ssize_t>(head.size()) &&
         std::string_view(head.data(), head.size()) == kMagic;
}

constexpr const char* kRemedy = "check that the folder exists, is writable and has space left";

// A symbolic link stays a link: what it points to is replaced.
fs::path resolve(const fs::path& path) {
  std::error_code ignored;
  if (!fs::is_symlink(path, ignored)) return path;
  const fs::path target = fs::weakly_canonical(path, ignored);
  return target.empty() ? path : target;
}

// The temporary file that is to become `target`, open.
std::pair<int, fs::path> begin_file(const fs::path& path, const fs::path& target, ErrorKind kind) {
  if (is_database(target)) {
    throw Error(kind, "this is an SQLite database, which a text would replace", path.string(), "name another file");
  }
  std::error_code ignored;
  if (fs::is_directory(target, ignored)) throw failure(kind, path, "write", EISDIR, kRemedy);
  auto begun = open_temporary(target);
  if (begun.first < 0) throw failure(kind, path, "write", errno, kRemedy);
  return begun;
}

}  // namespace

std::string read_file(const fs::path& path, ErrorKind kind, std::size_t most_bytes, const char* remedy) {
  constexpr const char* kRemedy = "check the path and its permissions";
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file.valid()) throw failure(kind, path, "read", errno, kRemedy);
  std::string content;
  std::array<char, 65536> buffer{};
  while (true) {
    const ssize_t count = ::read(file.get(), buffer.data(), buffer.size());
    if (count == 0) return content;
    if (count > 0) {
      content.append(buffer.data(), static_cast<std::size_t>(count));
      if (content.size() > most_bytes) {
        throw Error(kind, fmt::format("larger than {} MiB", most_bytes >> 20U), path.string(), remedy);
      }
    } else if (errno != EINTR) {
      throw failure(kind, path, "read", errno, kRemedy);
    }
  }
}

void write_file(const fs::path& path, std::string_view content, ErrorKind kind) {
  if (takes_a_stream(path)) {
    Descriptor stream(::open(path.c_str(), O_WRONLY | O_NOCTTY | O_CLOEXEC));
    if (!stream.valid() || !write_all(stream.get(), content) || !stream.close()) {
      throw failure(kind, path, "write", errno, kRemedy);
    }
    return;
  }
  const fs::path target = resolve(path);
  const auto [fd, temporary] = begin_file(path, target, kind);
  Unlinker unlinker(temporary);
  Descriptor file(fd);
  struct stat existing {};
  if (::stat(target.c_str(), &existing) == 0 && ::fchmod(fd, existing.st_mode & 07777U) != 0) {
    throw failure(kind, path, "write", errno, kRemedy);
  }
  if (!write_all(fd, content) || ::fsync(fd) != 0 || !file.close() ||
      ::rename(temporary.c_str(), target.c_str()) != 0) {
    throw failure(kind, path, "write", errno, kRemedy);
  }
  unlinker.release();
  // Without this the rename itself may be lost in a power cut; some file systems refuse it, and then nothing is lost
  // that a reader could notice.
  const fs::path folder = target.has_parent_path() ? target.parent_path() : fs::path(".");
  const Descriptor directory(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (directory.valid()) static_cast<void>(::fsync(directory.get()));
}

void check_writable(const fs::path& path, ErrorKind kind) {
  if (takes_a_stream(path)) {  // opening a pipe would wait for its reader
    if (::access(path.c_str(), W_OK) != 0) throw failure(kind, path, "write", errno, kRemedy);
    return;
  }
  const auto [fd, temporary] = begin_file(path, resolve(path), kind);
  const Descriptor file(fd);
  const Unlinker unlinker(temporary);
}

}  // namespace opgate::text
