#pragma once

#include <memory>

#include "run/request.hpp"
#include "run/world.hpp"

namespace opgate::run {

// The GPU that CUDA_VISIBLE_DEVICES leaves, and the op that is linked into this executable.
[[nodiscard]] std::unique_ptr<World> make_cuda_world(const CaseRequest& request);

}  // namespace opgate::run
