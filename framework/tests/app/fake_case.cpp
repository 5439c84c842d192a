// A case executable without CUDA: its supervisor is the real one, its workers play what the build folder's plan.json
// says of the case.
#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include <unistd.h>
#include <nlohmann/json.hpp>

#include "app/case_main.hpp"
#include "app/played.hpp"
#include "run/project.hpp"
#include "run/worker_process.hpp"

namespace {

using namespace opgate;
namespace fs = std::filesystem;

// Keeps the two builds of this file apart, byte for byte.
const volatile char* const variant = OPGATE_FAKE_VARIANT;

int number_of_start(const fs::path& build, const std::string& name) {
  std::ofstream(build / "started.log", std::ios::app) << name << '\n';
  std::ofstream(build.parent_path() / "order.log", std::ios::app) << build.filename().string() << '\n';
  std::ifstream log(build / "started.log");
  int count = 0;
  for (std::string line; std::getline(log, line);) count += line == name ? 1 : 0;
  return count;
}

void misbehave(const std::string& behaviour, int descriptor) {
  if (behaviour == "crash") std::abort();
  if (behaviour == "hang") {
    for (;;) ::pause();
  }
  core::Attempt attempt;
  attempt.phase = "recheck";
  if (behaviour == "wrong") {
    attempt.status = core::Status::wrong;
    attempt.error = ErrorKind::wrong_result;
    attempt.message = "y[3] is 1, expected 2";
  } else if (behaviour == "lossy") {
    attempt.status = core::Status::untrusted;
    attempt.error = ErrorKind::records_lost;
    attempt.message = "records were lost";
  }
  run::send_result(descriptor, attempt);
  std::_Exit(0);
}

// The records of this start, where the supervisor keeps them: the plan's files, one a start.
void send_records(const std::vector<std::string>& words, const nlohmann::json& plan, int start) {
  const auto option = std::find(words.begin(), words.end(), "--records-fd");
  const auto place = static_cast<std::size_t>(start - 1);
  if (option == words.end() || !plan.contains("records") || place >= plan.at("records").size()) return;
  const fs::path kept = "/proc/self/fd/" + option[1];
  fs::copy_file(plan.at("records").at(place).get<std::string>(), kept, fs::copy_options::overwrite_existing);
}

std::unique_ptr<run::World> no_world(const run::CaseRequest&) {
  throw Error(ErrorKind::cuda, "this executable plays a plan", {}, "start a worker");
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> words(argv, argv + argc);
  if (std::find(words.begin(), words.end(), "--worker-fd") == words.end()) {
    return app::case_main(argc, argv, &no_world);
  }
  const std::string name = argv[1];
  const int descriptor = std::atoi(argv[argc - 1]);
  const fs::path build = run::load_project(std::getenv("OPGATE_PROJECT")).build_dir;
  std::ifstream file(build / "plan.json");
  const nlohmann::json plan = nlohmann::json::parse(file).at(name);
  const int start = number_of_start(build, name);
  run::send_phase(descriptor, "measure");
  send_records(words, plan, start);
  if (plan.contains("behaviour") && start > plan.value("good_starts", 0)) misbehave(plan.at("behaviour"), descriptor);
  const unsigned seed = static_cast<unsigned>(start) * 2 + (*variant == 'b' ? 1U : 0U);
  run::send_result(descriptor, tests::played_attempt(plan, seed, std::getenv("CUDA_VISIBLE_DEVICES")));
}
