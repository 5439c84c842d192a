#pragma once

#include <cstddef>
#include <cstdint>

#include "opgate/op.hpp"

namespace opgate::measure {

// A kernel that lasts `time_ns` by the device's timer, whatever its clock: 2 blocks of 32 threads.
inline constexpr unsigned kTimedBlocks = 2;
inline constexpr unsigned kTimedThreads = 32;
void launch_timed(std::int64_t time_ns, Stream stream);
// The same kernel for other ways to launch it; its one argument is a std::int64_t.
[[nodiscard]] const void* timed_kernel();

// One thread follows `steps` indices, each loaded only when the one before has come. `next` holds a ring from index 0.
void launch_chase(std::uint32_t* next, int steps, Stream stream);

// Reads and writes `bytes`, a multiple of 16.
void launch_copy(const void* from, void* to, std::size_t bytes, Stream stream);

}  // namespace opgate::measure
