#include "text/file.hpp"

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>

using opgate::Error;
using opgate::ErrorKind;
using opgate::text::check_writable;
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

BOOST_AUTO_TEST_CASE(a_pipe_takes_what_is_written_and_stays_a_pipe) {
  const Folder folder;
  const fs::path path = folder.path / "pipe";
  BOOST_REQUIRE(::mkfifo(path.c_str(), 0600) == 0);
  const int reader = ::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  BOOST_REQUIRE(reader >= 0);
  fs::create_symlink("pipe", folder.path / "link");
  write_file(path, "text", ErrorKind::io);
  write_file(folder.path / "link", "more", ErrorKind::io);
  std::string got(16, '\0');
  const ssize_t count = ::read(reader, got.data(), got.size());
  ::close(reader);
  BOOST_TEST(got.substr(0, count < 0 ? 0 : static_cast<std::size_t>(count)) == "textmore");
  BOOST_TEST(fs::is_fifo(path));
  BOOST_TEST(folder.entries() == 2U);
}

BOOST_AUTO_TEST_CASE(what_cannot_be_written_to_stays_what_it_is) {
  const Folder folder;
  const fs::path path = folder.path / "socket";
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  path.native().copy(address.sun_path, sizeof address.sun_path - 1);
  const int socket = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  BOOST_REQUIRE(::bind(socket, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0);
  ::close(socket);
  BOOST_CHECK_EXCEPTION(write_file(path, "x", ErrorKind::io), Error,
                        says(ErrorKind::io, "cannot write: No such device or address"));
  BOOST_TEST(fs::is_socket(path));
  BOOST_TEST(folder.entries() == 1U);
}

BOOST_AUTO_TEST_CASE(a_database_is_not_replaced) {
  const Folder folder;
  const fs::path path = folder.path / "history.sqlite";
  const std::string database = std::string("SQLite format 3\0", 16) + "and its pages";
  std::ofstream(path, std::ios::binary) << database;
  fs::create_symlink("history.sqlite", folder.path / "link");
  for (const char* const name : {"history.sqlite", "link"}) {
    BOOST_CHECK_EXCEPTION(write_file(folder.path / name, "text", ErrorKind::io), Error,
                          says(ErrorKind::io, "this is an SQLite database"));
  }
  BOOST_TEST((read_file(path, ErrorKind::io) == database));
  BOOST_TEST(folder.entries() == 2U);
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

BOOST_AUTO_TEST_CASE(what_cannot_be_kept_is_known_before_the_work) {
  const Folder folder;
  fs::create_directory(folder.path / "folder");
  std::ofstream(folder.path / "history.sqlite", std::ios::binary) << std::string("SQLite format 3\0", 16);
  std::ofstream(folder.path / "old") << "old";
  const auto before = folder.entries();
  BOOST_CHECK_EXCEPTION(check_writable(folder.path / "no" / "a", ErrorKind::trace), Error,
                        says(ErrorKind::trace, "cannot write: No such file or directory"));
  BOOST_CHECK_EXCEPTION(check_writable(folder.path / "folder", ErrorKind::trace), Error,
                        says(ErrorKind::trace, "cannot write: Is a directory"));
  BOOST_CHECK_EXCEPTION(check_writable(folder.path / "history.sqlite", ErrorKind::trace), Error,
                        says(ErrorKind::trace, "this is an SQLite database"));
  check_writable(folder.path / "new", ErrorKind::trace);
  check_writable(folder.path / "old", ErrorKind::trace);
  check_writable("/dev/null", ErrorKind::trace);
  BOOST_TEST(read_file(folder.path / "old", ErrorKind::io) == "old");
  BOOST_TEST(folder.entries() == before);
}

BOOST_AUTO_TEST_SUITE_END()
