#pragma once

#include <cmath>
#include <cstdint>
#include <limits>

#include "../extent.hpp"
#include "opgate/op.hpp"

namespace ops::conv2d {

// The dimensions and parameters of a case, checked against each other.
struct Shape {
  int batch, h, w, c, filters, r, s, p, q, stride, pad;
};

[[nodiscard]] inline int whole_param(const opgate::Workload& workload, const char* name, int least) {
  const double value = workload.param(name);
  require(value >= least && value <= 64 && value == std::floor(value), workload,
          std::string(name) + " is no whole number from " + std::to_string(least) + " to 64",
          "correct the params of the workload");
  return static_cast<int>(value);
}

[[nodiscard]] inline Shape shape_of(const opgate::Workload& w) {
  const Shape shape{
      extent(w, "batch"),      extent(w, "h"), extent(w, "w"), extent(w, "c"), extent(w, "filters"),
      extent(w, "r"),          extent(w, "s"), extent(w, "p"), extent(w, "q"), whole_param(w, "stride", 1),
      whole_param(w, "pad", 0)};
  const auto length = [&](int in, int filter) { return (in + 2 * shape.pad - filter) / shape.stride + 1; };
  require(shape.r <= shape.h + 2 * shape.pad && shape.s <= shape.w + 2 * shape.pad &&
              shape.p == length(shape.h, shape.r) && shape.q == length(shape.w, shape.s),
          w, "p or q is not what h, w, r, s, stride and pad give",
          "write p = (h + 2 pad - r) / stride + 1, rounded down, and q likewise");
  require(std::int64_t{shape.batch} * shape.p * shape.q < std::numeric_limits<std::int32_t>::max() / 2 &&
              std::int64_t{shape.r} * shape.s * shape.c < std::numeric_limits<std::int32_t>::max() / 2,
          w, "more than 2^30 pixels, or values of a filter", "use a smaller batch");
  return shape;
}

}  // namespace ops::conv2d
