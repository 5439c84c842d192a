#include "device/lock.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <boost/test/unit_test.hpp>
#include <csignal>
#include <fstream>
#include <thread>

#include "environment.hpp"
#include "opgate/error.hpp"

using namespace std::chrono_literals;
using opgate::Error;
using opgate::ErrorKind;
using opgate::device::DeviceLock;

namespace {

struct Locks : opgate::test::Folder {
  std::filesystem::path locks = path / "locks";
  opgate::test::Variable variable{"OPGATE_LOCK_DIR", locks.string()};

  static void check_refused(const std::string& key, const std::string& what) {
    BOOST_CHECK_EXCEPTION((void)DeviceLock::acquire(key, "add.small.f32", 20ms), Error, [&](const Error& error) {
      BOOST_TEST_MESSAGE(error.what());
      BOOST_TEST(std::string(error.what()).find(what) != std::string::npos, error.what() << " lacks: " << what);
      return error.kind() == ErrorKind::device && !error.remedy().empty();
    });
  }
  [[nodiscard]] mode_t mode_of(const std::filesystem::path& file) const {
    struct stat info {};
    BOOST_REQUIRE(::lstat(file.c_str(), &info) == 0);
    return info.st_mode & 07777U;
  }
};

// Another process that holds the lock until it is told to go on, or killed.
class Holder {
 public:
  template <class Then>
  Holder(const std::string& key, const Then& then) {
    BOOST_REQUIRE(::pipe(ready_) == 0);
    BOOST_REQUIRE(::pipe(go_) == 0);
    pid = ::fork();
    if (pid == 0) {
      ::close(go_[1]);
      const auto lock = DeviceLock::acquire(key, "gemm.large.bf16", 1s);
      [[maybe_unused]] auto count = ::write(ready_[1], "r", 1);
      char byte = 0;
      count = ::read(go_[0], &byte, 1);
      then();
      ::_exit(0);
    }
    ::close(go_[0]);
    char byte = 0;
    BOOST_REQUIRE(::read(ready_[0], &byte, 1) == 1);
  }
  Holder(const Holder&) = delete;
  Holder& operator=(const Holder&) = delete;
  ~Holder() { end(); }
  void go_on() {
    if (go_[1] >= 0) ::close(go_[1]);
    go_[1] = -1;
  }
  void end() {
    go_on();
    if (pid > 0) ::waitpid(pid, nullptr, 0);
    pid = 0;
  }
  pid_t pid = 0;

 private:
  int ready_[2] = {};
  int go_[2] = {};
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(lock, Locks)

BOOST_AUTO_TEST_CASE(the_default_folder_is_the_same_for_every_user_of_the_machine) {
  const opgate::test::Variable unset("OPGATE_LOCK_DIR");
  const opgate::test::Variable tmp("TMPDIR", "/somewhere/private");
  BOOST_TEST(DeviceLock::folder() == "/tmp/opgate-locks");
}

BOOST_AUTO_TEST_CASE(folder_and_file_serve_all_users_whatever_the_umask) {
  const mode_t old = ::umask(0077);
  const auto held = DeviceLock::acquire("GPU-1", "a", 0ms);
  ::umask(old);
  BOOST_TEST(mode_of(locks) == 01777U);
  BOOST_TEST(mode_of(locks / "GPU-1.lock") == 0666U);
}

BOOST_AUTO_TEST_CASE(one_holder_at_a_time_who_is_named) {
  Holder holder("GPU-1", [] {});
  check_refused("GPU-1", "process " + std::to_string(holder.pid) + " (gemm.large.bf16)");
  const auto other_gpu = DeviceLock::acquire("GPU-2", "a", 0ms);
  holder.end();
  const auto now = DeviceLock::acquire("GPU-1", "a", 0ms);
}

BOOST_AUTO_TEST_CASE(the_same_process_excludes_itself) {
  const auto held = DeviceLock::acquire("GPU-1", "first", 0ms);
  check_refused("GPU-1", "(first)");
}

BOOST_AUTO_TEST_CASE(waiting_ends_when_the_holder_does) {
  Holder holder("GPU-1", [] {});
  std::thread later([&holder] {
    std::this_thread::sleep_for(50ms);
    holder.go_on();
  });
  const auto lock = DeviceLock::acquire("GPU-1", "a", 60s);
  later.join();
  BOOST_TEST(lock.waited().count() >= 20);
}

BOOST_AUTO_TEST_CASE(a_killed_holder_leaves_nothing_locked) {
  Holder holder("GPU-1", [] {});
  ::kill(holder.pid, SIGKILL);
  holder.end();
  const auto lock = DeviceLock::acquire("GPU-1", "a", 0ms);
}

BOOST_AUTO_TEST_CASE(a_started_program_does_not_inherit_the_lock) {
  // The holder becomes another program, which lives on without the lock.
  int alive[2] = {};
  BOOST_REQUIRE(::pipe(alive) == 0);
  ::fcntl(alive[1], F_SETFD, FD_CLOEXEC);
  ::fcntl(alive[0], F_SETFD, FD_CLOEXEC);
  Holder holder("GPU-1", [] { ::execl("/bin/sleep", "sleep", "60", nullptr); });
  holder.go_on();
  ::close(alive[1]);
  const auto lock = DeviceLock::acquire("GPU-1", "a", 30s);
  BOOST_TEST(::kill(holder.pid, 0) == 0);
  ::kill(holder.pid, SIGKILL);
  ::close(alive[0]);
}

BOOST_AUTO_TEST_CASE(moving_keeps_it_and_destroying_releases_it) {
  auto first = DeviceLock::acquire("GPU-1", "first", 0ms);
  {
    DeviceLock second = std::move(first);
    check_refused("GPU-1", "(first)");
  }
  auto again = DeviceLock::acquire("GPU-1", "again", 0ms);
  again = DeviceLock::acquire("GPU-2", "other", 0ms);
  const auto freed = DeviceLock::acquire("GPU-1", "a", 0ms);
}

BOOST_AUTO_TEST_CASE(a_lock_file_that_was_removed_is_made_anew) {
  {
    const auto first = DeviceLock::acquire("GPU-1", "first", 0ms);
    std::filesystem::remove(locks / "GPU-1.lock");
  }
  const auto second = DeviceLock::acquire("GPU-1", "second", 0ms);
  BOOST_TEST(std::filesystem::exists(locks / "GPU-1.lock"));
  check_refused("GPU-1", "(second)");
}

BOOST_AUTO_TEST_CASE(a_lock_file_that_was_removed_while_waiting_is_not_the_lock) {
  Holder holder("GPU-1", [] {});
  std::optional<DeviceLock> lock;
  std::thread waiter([&lock] { lock = DeviceLock::acquire("GPU-1", "waiter", 60s); });
  std::this_thread::sleep_for(50ms);
  std::filesystem::remove(locks / "GPU-1.lock");
  holder.end();
  waiter.join();
  check_refused("GPU-1", "(waiter)");
}

BOOST_AUTO_TEST_CASE(names_that_leave_the_folder_are_refused) {
  for (const char* key : {"", ".", "..", ".hidden", "../x", "a/b", "/etc/passwd", "a b", "a\nb"}) {
    check_refused(key, "cannot name a lock file");
  }
  check_refused(std::string(500, 'a'), "cannot name a lock file");
  const auto pci = DeviceLock::acquire("00000000:1A:00.0", "a", 0ms);
}

BOOST_AUTO_TEST_CASE(links_and_other_files_in_its_place_are_refused) {
  std::filesystem::create_directory(locks);
  std::ofstream(path / "victim") << "precious";
  std::filesystem::create_symlink(path / "victim", locks / "GPU-1.lock");
  check_refused("GPU-1", "symbolic link");
  std::filesystem::create_symlink(path / "missing", locks / "GPU-2.lock");
  check_refused("GPU-2", "symbolic link");
  BOOST_TEST(!std::filesystem::exists(path / "missing"));
  std::filesystem::create_hard_link(path / "victim", locks / "GPU-3.lock");
  check_refused("GPU-3", "second name");
  BOOST_REQUIRE(::mkfifo((locks / "GPU-4.lock").c_str(), 0666) == 0);
  check_refused("GPU-4", "not a regular file");
  std::filesystem::create_directory(locks / "GPU-5.lock");
  check_refused("GPU-5", "GPU-5.lock");
  BOOST_TEST(std::filesystem::file_size(path / "victim") == 8U);
}

BOOST_AUTO_TEST_CASE(a_folder_in_which_others_can_replace_files_is_refused) {
  std::filesystem::create_directory(locks);
  BOOST_REQUIRE(::chmod(locks.c_str(), 0777) == 0);
  check_refused("GPU-1", "chmod 1777");
  BOOST_REQUIRE(::chmod(locks.c_str(), 0755) == 0);
  const auto own = DeviceLock::acquire("GPU-1", "a", 0ms);
}

BOOST_AUTO_TEST_CASE(a_folder_that_is_a_link_or_a_file_is_refused) {
  std::filesystem::create_directory(path / "elsewhere");
  std::filesystem::create_symlink(path / "elsewhere", locks);
  check_refused("GPU-1", locks.string());
  BOOST_TEST(std::filesystem::is_empty(path / "elsewhere"));
  std::filesystem::remove(locks);
  std::ofstream(locks.string()) << "x";
  check_refused("GPU-1", locks.string());
}

BOOST_AUTO_TEST_CASE(what_another_user_wrote_as_holder_is_shown_harmlessly) {
  const auto held = DeviceLock::acquire("GPU-1", "\x1b[31mred\nnext", 0ms);
  check_refused("GPU-1", "(?[31mred)");
  std::ofstream(locks / "GPU-1.lock") << "garbage";
  check_refused("GPU-1", "another process");
}

BOOST_AUTO_TEST_SUITE_END()
