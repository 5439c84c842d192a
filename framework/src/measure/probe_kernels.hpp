#pragma once

#include <cstdint>

#include "opgate/op.hpp"

namespace opgate::measure {

// y[i] += 1 over `n` floats: the small memory-bound kernel on which timing methods differ most.
void launch_elementwise(float* y, std::int64_t n, Stream stream, int times = 1);

// One thread counts 30,000 SM cycles, from one edge of the global timer to another: {cycles, nanoseconds} into memory
// that the device can write.
void launch_clock_probe(std::int64_t* cycles_and_ns, Stream stream);

}  // namespace opgate::measure
