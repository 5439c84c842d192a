#include "run/selection.hpp"

#include <algorithm>
#include <array>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string_view>

#include "opgate/error.hpp"
#include "run/command.hpp"

namespace opgate::run {
namespace {

constexpr const char* kFixture = "opgate_run";

// https://cmake.org/cmake/help/latest/manual/ctest.1.html; the rest of the options changes how tests run, not which.
constexpr std::array<std::string_view, 21> kWithValue{"-R",
                                                      "--tests-regex",
                                                      "-E",
                                                      "--exclude-regex",
                                                      "-L",
                                                      "--label-regex",
                                                      "-LE",
                                                      "--label-exclude",
                                                      "-I",
                                                      "--tests-information",
                                                      "-C",
                                                      "--build-config",
                                                      "-FA",
                                                      "--fixture-exclude-any",
                                                      "-FS",
                                                      "--fixture-exclude-setup",
                                                      "-FC",
                                                      "--fixture-exclude-cleanup",
                                                      "--preset",
                                                      "--tests-from-file",
                                                      "--exclude-from-file"};
constexpr std::array<std::string_view, 3> kAlone{"--rerun-failed", "-U", "--union"};
constexpr std::array<std::string_view, 6> kUnknowable{
    "-S", "--script", "-SP", "--script-new-process", "--build-and-test", "--launch"};

template <class List>
bool contains(const List& list, std::string_view word) {
  return std::find(list.begin(), list.end(), word) != list.end();
}

std::vector<std::string> command_line_of(pid_t process) {
  std::ifstream file("/proc/" + std::to_string(process) + "/cmdline", std::ios::binary);
  std::vector<std::string> words;
  for (std::string word; std::getline(file, word, '\0');) {
    words.push_back(word);
  }
  return words;
}

std::string executable_of(pid_t process) {
  std::error_code failed;
  return std::filesystem::read_symlink("/proc/" + std::to_string(process) + "/exe", failed).string();
}

// Listing tests makes ctest write Testing/Temporary/LastTest.log.tmp and rename it at its end, like running them: it
// would take away the log of the ctest that started us. That one keeps its file open, so the name may rest.
class LogKept {
 public:
  explicit LogKept(const std::filesystem::path& build_dir)
      : log_(build_dir / "Testing" / "Temporary" / "LastTest.log.tmp"), aside_(log_.string() + ".kept") {
    std::error_code none;
    std::filesystem::rename(log_, aside_, none);
  }
  LogKept(const LogKept&) = delete;
  LogKept& operator=(const LogKept&) = delete;
  ~LogKept() {
    std::error_code none;
    std::filesystem::rename(aside_, log_, none);
  }

 private:
  std::filesystem::path log_;
  std::filesystem::path aside_;
};

}  // namespace

bool selecting_options(const std::vector<std::string>& command_line, std::vector<std::string>& options) {
  for (std::size_t i = 1; i < command_line.size(); ++i) {
    const std::string& word = command_line[i];
    if (contains(kUnknowable, word)) {
      return false;
    }
    const std::size_t equals = word.find('=');
    const bool holds_value = equals != std::string::npos && word.rfind("--", 0) == 0 &&
                             contains(kWithValue, std::string_view(word).substr(0, equals));
    if (holds_value || contains(kAlone, word)) {
      options.push_back(word);
    } else if (contains(kWithValue, word) && i + 1 < command_line.size()) {
      options.push_back(word);
      options.push_back(command_line[++i]);
    }
  }
  return true;
}

std::filesystem::path test_folder(const std::vector<std::string>& command_line, const Project& project) {
  constexpr std::string_view kOption = "--test-dir";
  for (std::size_t i = 1; i < command_line.size(); ++i) {
    const std::string& word = command_line[i];
    std::filesystem::path folder;
    if (word == kOption && i + 1 < command_line.size()) {
      folder = command_line[i + 1];
    } else if (word.rfind(std::string(kOption) + "=", 0) == 0) {
      folder = word.substr(kOption.size() + 1);
    }
    if (folder.is_absolute()) {
      return folder;
    }
  }
  return project.build_dir;
}

std::vector<std::string> cases_of(const std::string& show_only_json) {
  try {
    std::vector<std::string> cases;
    const nlohmann::json listed = nlohmann::json::parse(show_only_json);
    for (const nlohmann::json& test : listed.at("tests")) {
      const nlohmann::json properties = test.value("properties", nlohmann::json::array());
      for (const nlohmann::json& property : properties) {
        if (property.at("name") == "FIXTURES_REQUIRED" && property.at("value").is_array() &&
            contains(property.at("value").get<std::vector<std::string>>(), kFixture)) {
          cases.push_back(test.at("name").get<std::string>());
        }
      }
    }
    return cases;
  } catch (const nlohmann::json::exception& error) {
    throw Error(ErrorKind::io, std::string("ctest's list of tests cannot be read: ") + error.what(),
                "ctest --show-only=json-v1", "run ctest 3.25 or newer");
  }
}

Selection ask_ctest(pid_t ctest, const Project& project) {
  Selection selection;
  const std::vector<std::string> command_line = command_line_of(ctest);
  selection.command = in_one_line(command_line);
  const std::string program = executable_of(ctest);
  std::vector<std::string> words{program, "--show-only=json-v1"};
  if (std::filesystem::path(program).filename().string().rfind("ctest", 0) != 0 ||
      !selecting_options(command_line, words)) {
    return selection;
  }
  const bool preset =
      std::any_of(words.begin(), words.end(), [](const std::string& word) { return word.rfind("--preset", 0) == 0; });
  const std::filesystem::path folder = test_folder(command_line, project);
  const LogKept log_kept(folder);
  const CapturedCommand listed = capture(words, preset ? project.source_dir : folder);
  if (listed.exit_status == 0) {
    selection.cases = cases_of(listed.output);
    selection.known = true;
  }
  return selection;
}

}  // namespace opgate::run
