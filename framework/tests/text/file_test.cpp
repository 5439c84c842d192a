#include "text/file.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <iterator>
#include <stdexcept>
#include <string>

using opgate::Error;
using opgate::ErrorKind;
using opgate::text::read_file;
using opgate::text::write_file;

namespace fs = std::filesystem;

namespace {

struct Folder {
  Folder() {
    std::string pattern = (fs::temp_directory_path() / "opgate-file-XXXXXX").string();
    if (::mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("mkdtemp");
    path = pattern;
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() { fs::remove_all(path); }
  [[nodiscard]] std::size_t entries() const {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(path), fs::directory_iterator()));
  }
  fs::path path;
};

auto says(ErrorKind kind, const std::string& text) {
  return [kind, text](const Error& error) {
    BOOST_TEST_MESSAGE(error.what());
    return error.kind() == kind && std::string(error.what()).find(text) != std::string::npos;
  };
}

}  // namespace

BOOST_AUTO_TEST_SUITE(file)

BOOST_AUTO_TEST_CASE(what_is_written_is_read) {
  const Folder folder;
  std::string content(200'000, 'x');
  content += std::string("\0\r\n\xFF", 4);
  write_file(folder.path / "a", content, ErrorKind::io);
  BOOST_TEST((read_file(folder.path / "a", ErrorKind::io) == content));
  write_file(folder.path / "a", "", ErrorKind::io);
  BOOST_TEST(read_file(folder.path / "a", ErrorKind::io).empty());
}

BOOST_AUTO_TEST_CASE(a_write_replaces_the_file_and_leaves_nothing_else) {
  const Folder folder;
  const fs::path path = folder.path / "a";
  write_file(path, "old", ErrorKind::io);
  fs::create_hard_link(path, folder.path / "held");
  write_file(path, "new", ErrorKind::io);
  // Who had the old file open or linked still sees the old text, whole.
  BOOST_TEST(read_file(folder.path / "held", ErrorKind::io) == "old");
  BOOST_TEST(read_file(path, ErrorKind::io) == "new");
  BOOST_TEST(folder.entries() == 2U);
}

BOOST_AUTO_TEST_CASE(permissions_of_an_existing_file_stay) {
  const Folder folder;
  const fs::path path = folder.path / "a";
  write_file(path, "old", ErrorKind::io);
  fs::permissions(path, fs::perms(0640));
  write_file(path, "new", ErrorKind::io);
  BOOST_TEST((fs::status(path).permissions() == fs::perms(0640)));
}

BOOST_AUTO_TEST_CASE(a_symbolic_link_stays_one) {
  const Folder folder;
  write_file(folder.path / "target", "old", ErrorKind::io);
  fs::create_symlink("target", folder.path / "link");
  write_file(folder.path / "link", "new", ErrorKind::io);
  BOOST_TEST(fs::is_symlink(folder.path / "link"));
  BOOST_TEST(read_file(folder.path / "target", ErrorKind::io) == "new");
}

BOOST_AUTO_TEST_CASE(errors_name_the_path_and_the_reason) {
  const Folder folder;
  const fs::path missing = folder.path / "none";
  BOOST_CHECK_EXCEPTION(static_cast<void>(read_file(missing, ErrorKind::spec)), Error,
                        says(ErrorKind::spec, missing.string() + ": cannot read: No such file or directory\n  fix: "));
  BOOST_CHECK_EXCEPTION(static_cast<void>(read_file(folder.path, ErrorKind::trace)), Error,
                        says(ErrorKind::trace, "cannot read: Is a directory"));
  BOOST_CHECK_EXCEPTION(write_file(folder.path / "no" / "a", "x", ErrorKind::baseline), Error,
                        says(ErrorKind::baseline, "cannot write: No such file or directory"));
}

BOOST_AUTO_TEST_CASE(a_failed_write_leaves_no_temporary_file) {
  const Folder folder;
  fs::create_directory(folder.path / "a");
  BOOST_CHECK_EXCEPTION(write_file(folder.path / "a", "x", ErrorKind::io), Error,
                        says(ErrorKind::io, "cannot write: Is a directory"));
  BOOST_TEST(folder.entries() == 1U);
}

BOOST_AUTO_TEST_SUITE_END()
