#include "run/what_is_missing.hpp"

#include "opgate/error.hpp"

namespace opgate::run {

std::string remedy_without_gpu(std::string_view absent) {
  const std::string first = absent == kBuiltWithoutCuda ? "install the CUDA toolkit and configure again"
                                                        : "run it where CUDA finds an NVIDIA GPU";
  return first + ", or unset OPGATE_REQUIRE_GPU";
}

void refuse_what_a_trace_lacks(const CaseOptions& options) {
  if (options.mode != Mode::measure) {
    throw Error(ErrorKind::usage, "a recorded trace holds no op to check or to profile", options.case_name,
                "unset OPGATE_REPLAY, or leave out --check and --profile");
  }
  if (const std::string words = unusual_options(options); !words.empty()) {
    throw Error(ErrorKind::usage, "a recorded trace was measured before, so nothing comes of " + words,
                options.case_name, "unset OPGATE_REPLAY, or leave these options out");
  }
}

}  // namespace opgate::run
