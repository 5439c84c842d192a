#include "device/lock.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <system_error>
#include <thread>
#include <utility>

#include "device/lock_file.hpp"
#include "opgate/error.hpp"

namespace opgate::device {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

constexpr milliseconds kFirstPause{2};
constexpr milliseconds kLongestPause{50};

// True: locked; false: someone else holds it.
bool try_lock(int descriptor, const std::filesystem::path& path) {
  while (::flock(descriptor, LOCK_EX | LOCK_NB) != 0) {
    if (errno == EWOULDBLOCK) return false;
    if (errno == EINTR) continue;
    throw Error(ErrorKind::device, fmt::format("cannot lock: {}", std::generic_category().message(errno)),
                path.string(), "point OPGATE_LOCK_DIR to a folder on a local file system");
  }
  return true;
}

[[noreturn]] void not_obtained(const LockFile& file, milliseconds bound) {
  const LockHolder holder = file.read_holder();
  const std::string who =
      holder.pid > 0 ? fmt::format("process {} ({})", holder.pid, holder.purpose) : std::string("another process");
  throw Error(ErrorKind::device,
              fmt::format("the GPU is held by {} and was not released within {} ms", who, bound.count()),
              file.path().string(),
              holder.pid > 0 ? fmt::format("wait for it, or end process {} if it hangs", holder.pid)
                             : "wait for it, or find the holder with `fuser` on this file");
}

}  // namespace

DeviceLock DeviceLock::acquire(const std::string& key, const std::string& purpose, milliseconds bound) {
  const auto begin = steady_clock::now();
  const auto waited = [begin] { return std::chrono::duration_cast<milliseconds>(steady_clock::now() - begin); };
  const LockFolder folder(DeviceLock::folder());
  milliseconds pause = kFirstPause;
  while (true) {
    LockFile file = folder.open(key);
    while (!try_lock(file.descriptor(), file.path())) {
      if (waited() >= bound) not_obtained(file, bound);
      std::this_thread::sleep_for(std::min(pause, std::max(bound - waited(), milliseconds{1})));
      pause = std::min(pause * 2, kLongestPause);
    }
    // Whoever cleans the folder may have removed the file meanwhile; a lock on a file without a name excludes nobody.
    if (!file.still_there()) continue;
    file.write_holder({::getpid(), purpose});
    return {file.release(), waited()};
  }
}

DeviceLock::DeviceLock(DeviceLock&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)), waited_(other.waited_) {}

DeviceLock& DeviceLock::operator=(DeviceLock&& other) noexcept {
  if (this != &other) {
    DeviceLock old(std::move(*this));
    descriptor_ = std::exchange(other.descriptor_, -1);
    waited_ = other.waited_;
  }
  return *this;
}

DeviceLock::~DeviceLock() {
  if (descriptor_ < 0) return;
  // The file stays: removing it would let two processes lock two files of one name.
  const int emptied = ::ftruncate(descriptor_, 0);
  static_cast<void>(emptied);  // what is left in it names a process that no longer holds the lock: only text
  ::close(descriptor_);
}

std::filesystem::path DeviceLock::folder() {
  if (const char* const folder = std::getenv("OPGATE_LOCK_DIR"); folder != nullptr && *folder != '\0') return folder;
  // Not TMPDIR, which differs between users and batch jobs of one machine and so would exclude nobody.
  return "/tmp/opgate-locks";
}

}  // namespace opgate::device
