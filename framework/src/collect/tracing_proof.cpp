#include "collect/tracing_proof.hpp"

#include <algorithm>
#include <functional>

#include "collect/marker.hpp"

namespace opgate::collect {
namespace {

using core::PhaseRecords;
using core::Record;
using core::RecordKind;

using Wanted = std::function<bool(const Record&)>;

const Record* find(const PhaseRecords& records, const Wanted& wanted) {
  for (const core::RecordBuffer& buffer : records.buffers) {
    const auto found = std::find_if(buffer.begin(), buffer.end(), wanted);
    if (found != buffer.end()) return &*found;
  }
  return nullptr;
}

bool is_marker_kernel(const PhaseRecords& records, const Record& record) {
  return record.kind == RecordKind::kernel && record.name < records.kernels.size() &&
         records.kernels[record.name].name.find(kMarkerKernel) != std::string::npos;
}

Wanted sized(RecordKind kind, std::size_t bytes) {
  return [=](const Record& record) { return record.kind == kind && record.bytes == bytes; };
}

// The runtime's API is traced as "cudaMemcpyAsync_v3020" or "__cudaLaunchKernel", the driver's as "cuMemcpyAsync".
bool of_runtime(const std::string& api) {
  return api.find("cuda") != std::string::npos;
}

// Whether the launching call of this work was delivered, as a call of the runtime or of the driver.
bool has_api(const PhaseRecords& records, const Record* work, bool runtime) {
  return work != nullptr && find(records, [&](const Record& record) {
                              return record.kind == RecordKind::api && record.correlation_id == work->correlation_id &&
                                     record.name < records.names.size() &&
                                     of_runtime(records.names[record.name]) == runtime;
                            }) != nullptr;
}

bool is_labelled(const PhaseRecords& records, const Record& work, const MarkerLabel& label) {
  return find(records, [&](const Record& record) {
           return record.kind == RecordKind::external && record.correlation_id == work.correlation_id &&
                  record.external_kind == label.external_kind && record.external_id == label.id;
         }) != nullptr;
}

}  // namespace

std::vector<std::string> missing_kinds(const PhaseRecords& records, const MarkerLabel& label) {
  const Record* const kernel = find(records, [&](const Record& record) { return is_marker_kernel(records, record); });
  const Record* const copy = find(records, sized(RecordKind::memcpy, kMarkerCopyBytes));
  const Record* const memset = find(records, sized(RecordKind::memset, kMarkerMemsetBytes));
  const Record* const driver = find(records, sized(RecordKind::memset, kMarkerDriverBytes));

  std::vector<std::string> missing;
  if (kernel == nullptr) missing.emplace_back("CONCURRENT_KERNEL");
  if (copy == nullptr) missing.emplace_back("MEMCPY");
  if (memset == nullptr || driver == nullptr) missing.emplace_back("MEMSET");
  // Calls are recognised by their work; where that is missing nothing more can be said of them.
  bool any_work = driver != nullptr;
  bool runtime = false;
  bool labelled = driver != nullptr && is_labelled(records, *driver, label);
  for (const Record* const work : {kernel, copy, memset}) {
    any_work = any_work || work != nullptr;
    runtime = runtime || has_api(records, work, true);
    labelled = labelled || (work != nullptr && is_labelled(records, *work, label));
  }
  if (!runtime && (kernel != nullptr || copy != nullptr || memset != nullptr)) missing.emplace_back("RUNTIME");
  if (driver != nullptr && !has_api(records, driver, false)) missing.emplace_back("DRIVER");
  if (any_work && !labelled) missing.emplace_back("EXTERNAL_CORRELATION");
  return missing;
}

int graph_kernels_labelled(const PhaseRecords& records, const MarkerLabel& label) {
  int labelled = 0;
  for (const core::RecordBuffer& buffer : records.buffers) {
    for (const Record& record : buffer) {
      if (is_marker_kernel(records, record) && is_labelled(records, record, label)) ++labelled;
    }
  }
  return labelled;
}

bool launched_graphs(const PhaseRecords& records) {
  return std::any_of(records.names.begin(), records.names.end(),
                     [](const std::string& name) { return name.find("GraphLaunch") != std::string::npos; });
}

}  // namespace opgate::collect
