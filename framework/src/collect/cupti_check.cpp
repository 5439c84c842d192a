#include "collect/cupti_check.hpp"

#include <cupti.h>
#include <fmt/format.h>

#include <string>

#include "collect/cupti.hpp"
#include "opgate/error.hpp"

namespace opgate::collect {
namespace {

constexpr const char* kSubscriberRemedy =
    "run the case without the tool, with --profile under nsys or ncu, or with --check under compute-sanitizer or "
    "cuda-gdb";
constexpr const char* kUnsupportedRemedy = "measure on a device that CUPTI supports, or ask for --timing cuda-events";

struct Explanation {
  std::string what;
  std::string remedy;
};

Explanation explain(CUptiResult result) {
  switch (result) {
    case CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED:
      return {"another tool already traces this process (nsys, ncu, cuda-gdb or another user of CUPTI)",
              kSubscriberRemedy};
    case CUPTI_ERROR_DISABLED:
      return {"CUPTI is disabled because another profiler is active", kSubscriberRemedy};
    case CUPTI_ERROR_NOT_INITIALIZED:
      return {fmt::format("CUPTI {} could not connect to the CUDA driver", cupti_version()),
              "use the libcupti of the CUDA toolkit that opgate was built with, and a driver that supports it"};
    case CUPTI_ERROR_INSUFFICIENT_PRIVILEGES:
    case CUPTI_ERROR_VIRTUALIZED_DEVICE_INSUFFICIENT_PRIVILEGES:
      return {"the driver does not let this user trace the GPU",
              "load the nvidia module with NVreg_RestrictProfilingToAdminUsers=0, or run as root"};
    case CUPTI_ERROR_VIRTUALIZED_DEVICE_NOT_SUPPORTED:
      return {"CUPTI does not trace this virtual GPU", kUnsupportedRemedy};
    case CUPTI_ERROR_CONFIDENTIAL_COMPUTING_NOT_SUPPORTED:
      return {"CUPTI does not trace a GPU in confidential computing mode", kUnsupportedRemedy};
    case CUPTI_ERROR_MIG_DEVICE_NOT_SUPPORTED:
      return {"CUPTI does not trace this MIG instance", kUnsupportedRemedy};
    case CUPTI_ERROR_WSL_DEVICE_NOT_SUPPORTED:
      return {"CUPTI does not trace this GPU under WSL", kUnsupportedRemedy};
    case CUPTI_ERROR_OUT_OF_MEMORY:
      return {"CUPTI ran out of memory", "free device memory, or choose a smaller workload"};
    default:
      break;
  }
  const char* text = nullptr;
  if (cuptiGetErrorMessage(result, &text) != CUPTI_SUCCESS || text == nullptr) text = "unknown CUPTI error";
  return {fmt::format("CUPTI error {}: {}", static_cast<int>(result), text),
          "run `opgate doctor`, and update the driver or the CUDA toolkit if it agrees"};
}

}  // namespace

void check_cupti(int result, const char* call) {
  if (result == CUPTI_SUCCESS) return;
  const Explanation explanation = explain(static_cast<CUptiResult>(result));
  throw Error(ErrorKind::cupti, explanation.what, call, explanation.remedy);
}

std::string cupti_version() {
  std::uint32_t version = 0;
  return cuptiGetVersion(&version) == CUPTI_SUCCESS ? std::to_string(version) : std::string();
}

}  // namespace opgate::collect
