#pragma once

namespace opgate::measure {

// One small kernel (262,144 floats), four ways to time it; medians in ns.
struct FourMethods {
  double cupti_memset_flush_ns = 0;  // kernel records, L2 cleared by memset: method-1
  double cupti_read_flush_ns = 0;    // kernel records, L2 cleared by reading: opgate-1
  double event_pair_ns = 0;          // a pair of events around each call
  double event_loop_ns = 0;          // one pair around a loop, divided by the calls
  double graph_replay_ns = 0;        // a CUDA graph of many calls, divided by the calls
};

// Throws what bench() throws.
[[nodiscard]] FourMethods compare_four_methods();

}  // namespace opgate::measure
