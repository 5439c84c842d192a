#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "opgate/bench.hpp"

namespace opgate::store {

// The BLOB of one implementation's samples: version, count, the columns busy, latency - busy, gap - (latency - busy),
// kernel count, clock, group and work - busy, then a CRC-32 over all of it, so that a damaged row is an error and never
// a number.
[[nodiscard]] std::vector<std::byte> encode_samples(std::span<const Sample> samples);
// Error(history) for anything encode_samples did not write.
[[nodiscard]] std::vector<Sample> decode_samples(std::span<const std::byte> blob);

}  // namespace opgate::store
