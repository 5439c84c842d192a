#pragma once

namespace opgate::core {

// What a spec, a command line and an advice to change either may ask for at most. specs/op.schema.json says the same.
inline constexpr int kMostIterations = 1'000'000;
inline constexpr int kMostProcesses = 16;

}  // namespace opgate::core
