#pragma once

#include "run/world.hpp"

namespace opgate::app {

// Every case executable's main. `make_world` is empty where CUDA was not built in; recorded traces still replay.
[[nodiscard]] int case_main(int argc, char** argv, const run::WorldFactory& make_world);

}  // namespace opgate::app
