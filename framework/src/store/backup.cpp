#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <system_error>
#include <utility>

#include "store/copy_pages.hpp"
#include "store/history.hpp"
#include "store/open.hpp"

namespace opgate::store {
namespace {

namespace fs = std::filesystem;

Error overwrite_refused(const fs::path& destination) {
  return {ErrorKind::history, "the backup's destination exists already", destination.string(),
          "name a file that does not exist yet; nothing was changed"};
}

// Removed with its journal unless it became the destination.
struct TemporaryFile {
  explicit TemporaryFile(fs::path file) : path(std::move(file)) {}
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  ~TemporaryFile() {
    std::error_code ignored;
    for (const char* const suffix : {"", "-journal", "-wal", "-shm"}) {
      fs::remove(path.string() + suffix, ignored);
    }
  }
  fs::path path;
};

// link() fails when the name was taken meanwhile, where rename() would overwrite.
void publish(const fs::path& temporary, const fs::path& destination) {
  if (::link(temporary.c_str(), destination.c_str()) != 0) {
    const int reason = errno;
    if (reason == EEXIST) {
      throw overwrite_refused(destination);
    }
    throw Error(ErrorKind::history, fmt::format("the backup cannot be put in place: {}", std::strerror(reason)),
                destination.string(), "name a file in a folder that this user can write");
  }
  const int folder = ::open(fs::absolute(destination).parent_path().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder >= 0) {
    ::fsync(folder);
    ::close(folder);
  }
}

}  // namespace

void backup(const fs::path& history, const fs::path& destination) {
  std::error_code ignored;
  if (fs::exists(fs::symlink_status(destination, ignored))) {
    throw overwrite_refused(destination);
  }
  const auto source = open_reader(history, kBusyTimeout);
  const TemporaryFile temporary(destination.string() + fmt::format(".{}.tmp", ::getpid()));
  {
    Connection target(temporary.path, OpenMode::create, kBusyTimeout);
    copy_pages(*source, target);
  }
  publish(temporary.path, destination);
}

}  // namespace opgate::store
