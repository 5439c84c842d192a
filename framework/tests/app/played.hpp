#pragma once

#include <nlohmann/json.hpp>
#include <random>
#include <string>

#include "core/result.hpp"

namespace opgate::tests {

// What a worker reads that plays `plan`: {"busy_ns": 100000, "noise": 0.0005, "launch": "queued"}.
[[nodiscard]] inline core::Attempt played_attempt(const nlohmann::json& plan, unsigned seed, const std::string& unit) {
  std::mt19937 dice(seed);
  std::normal_distribution<double> normal;
  const double busy = plan.at("busy_ns").get<double>() * (1 + plan.value("noise", 0.0005) * normal(dice));
  core::Attempt attempt;
  attempt.status = core::Status::measured;
  attempt.device.name = "NVIDIA H200";
  attempt.device.uuid = unit;
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

}  // namespace opgate::tests
