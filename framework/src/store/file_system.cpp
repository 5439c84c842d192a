#include "store/file_system.hpp"

#include <sys/vfs.h>

#include <array>
#include <system_error>
#include <utility>

namespace opgate::store {
namespace {

namespace fs = std::filesystem;

// linux/magic.h has some of them only.
constexpr std::array<std::pair<std::uint32_t, const char*>, 14> kNetwork{{{0x6969, "nfs"},
                                                                          {0x517b, "smb"},
                                                                          {0xff534d42, "cifs"},
                                                                          {0xfe534d42, "smb2"},
                                                                          {0x00c36400, "ceph"},
                                                                          {0x0bd00bd0, "lustre"},
                                                                          {0x47504653, "gpfs"},
                                                                          {0x19830326, "beegfs"},
                                                                          {0x013111a8, "ibrix"},
                                                                          {0x5346414f, "afs"},
                                                                          {0x6b414653, "afs"},
                                                                          {0x73757245, "coda"},
                                                                          {0x564c, "ncp"},
                                                                          {0xaad7aaea, "panfs"}}};

}  // namespace

std::string network_name(std::int64_t type) {
  // Narrow: where the kernel's field is signed, high bits come back as ones.
  const auto magic = static_cast<std::uint32_t>(type);
  for (const auto& [known, name] : kNetwork) {
    if (known == magic) return name;
  }
  return {};
}

std::string network_file_system_of(const fs::path& path) {
  std::error_code ignored;
  fs::path at = fs::absolute(path, ignored);
  while (!fs::exists(at, ignored) && at.has_relative_path()) at = at.parent_path();
  struct statfs found {};
  return ::statfs(at.c_str(), &found) == 0 ? network_name(static_cast<std::int64_t>(found.f_type)) : std::string();
}

Error network_refused(const fs::path& path, const std::string& name) {
  return {ErrorKind::history,
          "it is on a network file system (" + name + "), where SQLite's write-ahead log can lose or damage results",
          path.string(),
          "keep the history on a local disk, by --history or OPGATE_HISTORY, and put copies by `opgate backup` there"};
}

}  // namespace opgate::store
