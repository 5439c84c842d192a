#include <vector>

#include "core/statistics.hpp"
#include "opgate/bench.hpp"

namespace opgate {

double Measurement::median_busy_ns() const {
  std::vector<std::int64_t> busy;
  busy.reserve(samples.size());
  for (const Sample& sample : samples) {
    busy.push_back(sample.busy_ns);
  }
  return core::median(busy);
}

}  // namespace opgate
