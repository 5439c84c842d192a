#include "run/ctest_run.hpp"

#include <nlohmann/json.hpp>

#include "opgate/error.hpp"
#include "text/file.hpp"
#include "text/json.hpp"

namespace opgate::run {

std::filesystem::path open_run_path(const std::filesystem::path& build_dir, pid_t ctest) {
  return build_dir / "opgate" / "runs" / (std::to_string(ctest) + ".json");
}

void write_open_run(const std::filesystem::path& path, const OpenRun& run) {
  std::filesystem::create_directories(path.parent_path());
  const nlohmann::json json = {{"run", run.id}, {"history", run.history.string()}};
  text::write_file(path, json.dump() + "\n", ErrorKind::history);
}

std::optional<OpenRun> read_open_run(const std::filesystem::path& path) {
  std::error_code failed;
  if (!std::filesystem::exists(path, failed)) {
    return std::nullopt;
  }
  const text::Json json =
      text::parse_json(text::read_file(path, ErrorKind::history), path.string(), ErrorKind::history);
  return OpenRun{.id = json.at("run").as_integer(), .history = json.at("history").as_string()};
}

}  // namespace opgate::run
