// A case executable without CUDA: it plays what the build folder's plan.json says of the case, as a worker does.
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>

#include <unistd.h>
#include <nlohmann/json.hpp>

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

core::Attempt measured(const nlohmann::json& plan, unsigned seed) {
  std::mt19937 dice(seed);
  std::normal_distribution<double> normal;
  const double busy = plan.at("busy_ns").get<double>() * (1 + plan.value("noise", 0.0005) * normal(dice));
  core::Attempt attempt;
  attempt.status = core::Status::measured;
  attempt.device.name = "NVIDIA H200";
  attempt.device.uuid = std::getenv("CUDA_VISIBLE_DEVICES");
  attempt.device.tick_ns = 32;
  core::ImplementationResult ours;
  ours.measurement.launch = plan.value("launch", "direct") == "queued" ? Launch::queued : Launch::direct;
  ours.kernel_groups = {"2 x kernel"};
  for (int i = 0; i < 20; ++i) {
    Sample sample;
    sample.busy_ns = static_cast<std::int64_t>(busy);
    sample.n_kernels = 2;
    ours.measurement.samples.push_back(sample);
  }
  attempt.implementations.push_back(std::move(ours));
  return attempt;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string name = argv[1];
  const int descriptor = std::atoi(argv[argc - 1]);
  const fs::path build = fs::path(std::getenv("OPGATE_PROJECT")).parent_path().parent_path();
  std::ifstream file(build / "plan.json");
  const nlohmann::json plan = nlohmann::json::parse(file).at(name);
  const int start = number_of_start(build, name);
  run::send_phase(descriptor, "measure");
  if (plan.contains("behaviour") && start > plan.value("good_starts", 0)) misbehave(plan.at("behaviour"), descriptor);
  run::send_result(descriptor, measured(plan, static_cast<unsigned>(start) * 2 + (*variant == 'b' ? 1U : 0U)));
}
