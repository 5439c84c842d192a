#include "run/ctest_run.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <vector>

#include "opgate/error.hpp"
#include "text/file.hpp"
#include "text/json.hpp"

namespace opgate::run {
namespace {

// What names the files of this host; a host name is no path.
std::string host_prefix() {
  std::string host = host_name();
  std::replace(host.begin(), host.end(), '/', '_');
  return host + "-";
}

}  // namespace

std::string host_name() {
  std::array<char, 256> host{};
  return ::gethostname(host.data(), host.size() - 1) == 0 ? host.data() : "";
}

std::filesystem::path open_run_path(const std::filesystem::path& build_dir, pid_t ctest) {
  return build_dir / "opgate" / "runs" / (host_prefix() + std::to_string(ctest) + ".json");
}

void write_open_run(const std::filesystem::path& path, const OpenRun& run) {
  std::filesystem::create_directories(path.parent_path());
  const nlohmann::json json = {{"run", run.id}, {"history", run.history.string()}, {"ctest_start", run.ctest_start}};
  text::write_file(path, json.dump() + "\n", ErrorKind::history);
}

std::optional<OpenRun> read_open_run(const std::filesystem::path& path) {
  std::error_code failed;
  if (!std::filesystem::exists(path, failed)) {
    return std::nullopt;
  }
  const text::Json json =
      text::parse_json(text::read_file(path, ErrorKind::history), path.string(), ErrorKind::history);
  return OpenRun{.id = json.at("run").as_integer(),
                 .history = json.at("history").as_string(),
                 .ctest_start = json.at("ctest_start").as_string()};
}

std::string start_of_process(pid_t process) {
  std::ifstream file("/proc/" + std::to_string(process) + "/stat");
  std::string line;
  std::getline(file, line);
  // proc(5): "pid (name) state ppid ...", where the start is field 22; the name may hold blanks and parentheses.
  const std::size_t name_end = line.rfind(')');
  if (name_end == std::string::npos) {
    return {};
  }
  std::istringstream rest(line.substr(name_end + 1));
  std::string word;
  for (int field = 3; field <= 22; ++field) {
    rest >> word;
  }
  return rest ? word : std::string();
}

void remove_left_behind(const std::filesystem::path& build_dir, pid_t ctest) {
  std::error_code ignored;
  std::filesystem::remove(open_run_path(build_dir, ctest), ignored);
  const std::filesystem::path folder = open_run_path(build_dir, ctest).parent_path();
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder, ignored)) {
    files.push_back(entry.path());
  }
  const std::string prefix = host_prefix();
  for (const std::filesystem::path& file : files) {
    const std::string name = file.stem().string();
    if (name.rfind(prefix, 0) != 0) {
      continue;
    }
    const std::string number = name.substr(prefix.size());
    const bool process = !number.empty() && number.find_first_not_of("0123456789") == std::string::npos;
    if (process && !std::filesystem::exists("/proc/" + number, ignored)) {
      std::filesystem::remove(file, ignored);
    }
  }
}

std::optional<OpenRun> open_run_of(const std::filesystem::path& build_dir, pid_t ctest) {
  std::optional<OpenRun> run = read_open_run(open_run_path(build_dir, ctest));
  return run && run->ctest_start == start_of_process(ctest) ? run : std::nullopt;
}

}  // namespace opgate::run
