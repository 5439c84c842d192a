#pragma once

#include <memory>

#include "measure/stage.hpp"

namespace opgate::measure {

// The current CUDA device. The callable gets a blocking stream of its own; the flush goes into the same stream, so that
// it is over when the call begins. The flush buffer is 2 x L2 and written once, here. Error(cuda) from every method.
[[nodiscard]] std::unique_ptr<Stage> make_cuda_stage();

}  // namespace opgate::measure
