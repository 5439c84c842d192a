#pragma once

#include <cstdint>

#include "collect/collector.hpp"
#include "measure/stage.hpp"
#include "opgate/bench.hpp"

namespace opgate::measure {

// core/host_time.hpp of a candidate that is measured directly, by a few calls in which the device is drained where they
// wait for it. 0 when it never waits, and when nothing can be learned: then hidden work keeps the limit
// `tail_limit_ns`.
[[nodiscard]] std::int64_t time_host(collect::Collector& collector, Stage& stage, const Candidate& candidate,
                                     const BenchOptions& options, Flush flush, std::int64_t tail_limit_ns);

}  // namespace opgate::measure
