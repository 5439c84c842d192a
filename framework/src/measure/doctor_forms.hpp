#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/probe_checks.hpp"
#include "opgate/bench.hpp"

namespace opgate::measure {

// A call of `kernels` timed kernels, one after the other, launched in its own way. `make` prepares what that needs,
// after tracing is on, and may throw.
struct LaunchForm {
  std::string name;
  int kernels = 1;
  std::function<Callable()> make;
};
[[nodiscard]] const std::vector<LaunchForm>& launch_forms();

// Busy of the form's kernels launched by <<<>>> into one stream; then of the form itself. Throw what bench() throws.
[[nodiscard]] double read_plain_ns(int kernels);
[[nodiscard]] core::FormReading read_form(const LaunchForm& form, double plain_ns);

}  // namespace opgate::measure
