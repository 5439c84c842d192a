#include "app/new_project.hpp"

#include <utility>

namespace opgate::app {

namespace {

constexpr const char* kLists = R"(cmake_minimum_required(VERSION 3.25)
project(@project@ LANGUAGES CXX)
enable_testing()

# An installed opgate, or its sources: -DOPGATE_SOURCE=DIR.
if(OPGATE_SOURCE)
  add_subdirectory("${OPGATE_SOURCE}" opgate)
else()
  find_package(opgate 0.1 REQUIRED)
endif()
opgate_enable_cuda()

# One line per op; its spec is specs/<op>.json.
opgate_add_op(@op@ SOURCES ops/@op@.cu)
)";

constexpr const char* kOp = R"(#include <opgate/cuda.cuh>
#include <opgate/op.hpp>

namespace {

constexpr unsigned kThreads = 256;

// What is gated: y = 2 x.
__global__ void compute(const float* x, float* y, long n) {
  const long i = blockIdx.x * static_cast<long>(kThreads) + threadIdx.x;
  if (i < n) y[i] = 2 * x[i];
}

// What it is checked against: in f64, sharing nothing with the op.
__global__ void expect(const float* x, double* y, long n) {
  const long i = blockIdx.x * static_cast<long>(kThreads) + threadIdx.x;
  if (i < n) y[i] = 2.0 * x[i];
}

template <class Kernel, class T>
void launch(Kernel kernel, const opgate::Call& call, T* y) {
  const long n = call.workload.dim("n");
  kernel<<<(n + kThreads - 1) / kThreads, kThreads, 0, call.stream>>>(call.in["x"].as<float>(), y, n);
  OPGATE_LAUNCHED();
}

struct Implementation : opgate::Op {
  void run(const opgate::Call& call) override { launch(compute, call, call.out["y"].as<float>()); }
};

}  // namespace

OPGATE_OP(@op@, Implementation)
OPGATE_REFERENCE(@op@, [](const opgate::Call& call) { launch(expect, call, call.out["y"].as<double>()); })
)";

constexpr const char* kSpec = R"({
  "op": "@op@",
  "doc": "y = 2 x",
  "inputs": {"x": "dtype[n]"},
  "outputs": {"y": "dtype[n]"},
  "flops": "n",
  "dtypes": ["f32"],
  "labels": ["nightly"],
  "workloads": [
    {"name": "small", "n": 262144},
    {"name": "large", "n": 16777216, "labels": ["gate"]}
  ]
}
)";

constexpr const char* kIgnored = "/build/\n/results/\n";

std::string filled(std::string text, const std::string& project, const std::string& op) {
  for (const auto& [mark, value] : {std::pair<std::string, std::string>{"@project@", project}, {"@op@", op}}) {
    for (std::size_t at = text.find(mark); at != std::string::npos; at = text.find(mark, at + value.size())) {
      text.replace(at, mark.size(), value);
    }
  }
  return text;
}

}  // namespace

std::vector<NewFile> new_project(const std::string& project, const std::string& op) {
  return {{"CMakeLists.txt", filled(kLists, project, op)},
          {"ops/" + op + ".cu", filled(kOp, project, op)},
          {"specs/" + op + ".json", filled(kSpec, project, op)},
          {".gitignore", kIgnored, true}};
}

std::string project_name(const std::filesystem::path& folder) {
  std::string name;
  for (const char letter : folder.filename().string()) {
    const bool plain = (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') ||
                       (letter >= '0' && letter <= '9') || letter == '_' || letter == '-';
    name += plain ? letter : '_';
  }
  // Targets and variables are named after it; a digit first, or opgate's own name, would clash.
  const bool starts_well = !name.empty() && name.front() != '-' && !(name.front() >= '0' && name.front() <= '9');
  return starts_well && name != "opgate" ? name : "gated_" + name;
}

}  // namespace opgate::app
