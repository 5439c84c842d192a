#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "store/byte_stream.hpp"

namespace opgate::store {

// One column of integers, losslessly, by whichever of these is the shortest:
//   runs     value (as difference to the one before) and length, for constant columns;
//   offsets  differences to the median, divided by their greatest common divisor, Rice-coded: independent samples;
//   deltas   the same for differences to the sample before: slow drift.
// Rice codes because durations scatter around a centre with rare outliers; an outlier costs only itself.
void encode_column(std::span<const std::int64_t> values, ByteWriter& out);
// `count` values; reader.failed() says whether they are any good.
[[nodiscard]] std::vector<std::int64_t> decode_column(ByteReader& reader, std::size_t count);

}  // namespace opgate::store
