#pragma once

#include <memory>

#include "measure/stage.hpp"

namespace opgate::measure {

// The current CUDA device. The callable gets a blocking stream of its own; flush, hold and probes go into the legacy
// default stream, so that the flush is over when the call begins. The flush buffer is 2 x L2 and written once, here.
// Error(cuda) from every method.
[[nodiscard]] std::unique_ptr<Stage> make_cuda_stage();

}  // namespace opgate::measure
