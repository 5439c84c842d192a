#pragma once

#include <cstdint>

// How a long row of cumsum is cut into chunks, one a block.
namespace ops::cumsum {

inline constexpr int kThreads = 256;
inline constexpr int kShortRow = 1024;  // columns up to which a warp does a row, and nothing is cut

// Elements of a thread.
inline constexpr int kSmallChunk = 16;  // so that few elements still spread over all SMs
inline constexpr int kLargeChunk =
    32;  // so that the chain of chunks, each of which waits for those before it, is short
inline constexpr int kLargeBlocks = 5;  // of an SM
// Before a state is asked for, or asked for again: with all SMs busy it is seldom there at once, and to ask again and
// again takes the place of what others load.
inline constexpr unsigned kLargePauseNs = 500;
inline constexpr std::int64_t kManyChunks = 1056;  // eight for each of 132 SMs, of which five fit

[[nodiscard]] constexpr std::int64_t chunks_of(std::int64_t columns, int per_thread) {
  const std::int64_t chunk = std::int64_t{kThreads} * per_thread;
  return (columns + chunk - 1) / chunk;
}

[[nodiscard]] constexpr int elements_per_thread(std::int64_t rows, std::int64_t columns) {
  return rows * chunks_of(columns, kLargeChunk) >= kManyChunks ? kLargeChunk : kSmallChunk;
}

}  // namespace ops::cumsum
