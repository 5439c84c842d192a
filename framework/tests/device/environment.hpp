#pragma once

#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>

namespace opgate::test {

// Sets a variable, and puts the old value back.
class Variable {
 public:
  Variable(const char* name, const std::string& value) : Variable(name) { ::setenv(name, value.c_str(), 1); }
  // Unset.
  explicit Variable(const char* name) : name_(name) {
    if (const char* const old = std::getenv(name)) old_ = old;
    ::unsetenv(name);
  }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;
  ~Variable() {
    if (old_) {
      ::setenv(name_, old_->c_str(), 1);
    } else {
      ::unsetenv(name_);
    }
  }

 private:
  const char* name_;
  std::optional<std::string> old_;
};

// A folder of its own, removed at the end.
class Folder {
 public:
  Folder() {
    std::string name = (std::filesystem::temp_directory_path() / "opgate-test-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("mkdtemp failed");
    path = name;
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() { std::filesystem::remove_all(path); }
  std::filesystem::path path;
};

}  // namespace opgate::test
