#include "collect/attached_tool.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>

namespace opgate::collect {
namespace {

constexpr const char* kProfileRemedy = "run the case with --profile, which traces nothing itself, under nsys or ncu";
constexpr const char* kCheckRemedy =
    "run the case with --check, which traces nothing itself, under compute-sanitizer or cuda-gdb";

struct Sign {
  const char* variable;
  const char* word;  // must occur in the value, any case; "" = any value
  const char* tool;
  const char* remedy;
};

// First match wins: the sanitizer also uses the general injection variables.
constexpr std::array kSigns{
    Sign{"NV_SANITIZER_INJECTION_PORT_BASE", "", "compute-sanitizer", kCheckRemedy},
    Sign{"CUDA_INJECTION64_PATH", "sanitizer", "compute-sanitizer", kCheckRemedy},
    Sign{"LD_PRELOAD", "sanitizer-public", "compute-sanitizer", kCheckRemedy},
    Sign{"NSYS_PROFILING_SESSION_ID", "", "nsys", kProfileRemedy},
    Sign{"CUDA_INJECTION64_PATH", "", "a profiler", kProfileRemedy},
    Sign{"NVTX_INJECTION64_PATH", "", "a profiler", kProfileRemedy},
};

bool contains(std::string_view text, std::string_view word) {
  const auto same = [](char a, char b) { return std::tolower(static_cast<unsigned char>(a)) == b; };
  return std::search(text.begin(), text.end(), word.begin(), word.end(), same) != text.end();
}

}  // namespace

std::optional<AttachedTool> attached_tool(const Environment& environment) {
  for (const Sign& sign : kSigns) {
    const char* const value = environment(sign.variable);
    if (value == nullptr || *value == '\0' || !contains(value, sign.word)) continue;
    return AttachedTool{sign.tool, fmt::format("{}={}", sign.variable, value), sign.remedy};
  }
  return std::nullopt;
}

}  // namespace opgate::collect
