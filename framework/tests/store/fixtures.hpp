#pragma once

#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "store/history.hpp"

namespace opgate::store::test {

// A fresh folder that anyone may enter, removed at the end.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "opgate-store-XXXXXX").string();
    if (::mkdtemp(pattern.data()) == nullptr) {
      throw std::runtime_error("mkdtemp failed");
    }
    path_ = pattern;
    std::filesystem::permissions(path_, std::filesystem::perms(0755));
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::permissions(path_, std::filesystem::perms(0755), ignored);
    std::filesystem::remove_all(path_, ignored);
  }
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  [[nodiscard]] std::filesystem::path operator/(const char* name) const { return path_ / name; }

 private:
  std::filesystem::path path_;
};

inline std::string bytes_of(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

inline void write_bytes(const std::filesystem::path& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary | std::ios::trunc) << bytes;
}

// Runs `work` in a child process that is not root (permissions do not bind root) and returns its answer.
template <class Work>
int in_child(bool unprivileged, Work work) {
  const pid_t child = ::fork();
  if (child == 0) {
    if (unprivileged && ::geteuid() == 0 && (::setgid(65534) != 0 || ::setuid(65534) != 0)) {
      ::_exit(99);
    }
    int answer = 98;
    try {
      answer = work();
    } catch (...) {
      answer = 97;
    }
    ::_exit(answer);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 96;
}

inline RunInfo some_run(const std::string& uuid = "6b1f0c1e-0000-4000-8000-000000000001") {
  return {.uuid = uuid,
          .origin = "ctest",
          .started_unix_ms = 1'760'000'000'123,
          .closed_unix_ms = std::nullopt,
          .host = "gpu-runner-1",
          .commit = "0123abcd",
          .dirty = true,
          .label = "ctest -L nightly",
          .options = "--iterations 5",
          .selected = {"gemm.b.f16", "add.a.f32"}};
}

// By SQLite alone, behind the back of opgate.
void execute(const std::filesystem::path& path, const std::string& sql);
// What reading all runs and results says: why not, or how many results there are.
std::string refusal_of(const std::filesystem::path& path);

// A result in which every field differs from its default.
CaseResult full_result();
// Every field as text, doubles exactly; two results are equal when these are.
std::string text_of(const CaseResult& result);
std::string text_of(const RunInfo& run);
// A short measured result.
CaseResult small_result(const std::string& name, std::int64_t busy_ns = 2000);

}  // namespace opgate::store::test
