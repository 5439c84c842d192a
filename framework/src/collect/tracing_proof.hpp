#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/records.hpp"

namespace opgate::collect {

// The label that marker work carries, as CUPTI delivers it.
struct MarkerLabel {
  std::uint32_t external_kind = 0;
  std::uint64_t id = 0;
};

// Names of the activity kinds, without CUPTI_ACTIVITY_KIND_, whose records of Marker::launch() are not among these.
[[nodiscard]] std::vector<std::string> missing_kinds(const core::PhaseRecords& records, const MarkerLabel& label);

// Of the kernels of Marker::launch_graph() under this label: how many carry it. All of them, unless CUPTI gives the
// nodes of a graph wrong correlation ids.
[[nodiscard]] int graph_kernels_labelled(const core::PhaseRecords& records, const MarkerLabel& label);

// Whether anything was launched as a CUDA graph.
[[nodiscard]] bool launched_graphs(const core::PhaseRecords& records);

}  // namespace opgate::collect
