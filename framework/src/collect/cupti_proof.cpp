#include "collect/cupti_proof.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "collect/cuda_devices.hpp"
#include "collect/cupti_parse.hpp"
#include "opgate/error.hpp"

namespace opgate::collect {
namespace {

// A phase may have had buffers too small for any record; where it had larger ones, they are at hand.
constexpr std::size_t kProofBufferBytes = std::size_t{256} * 1024;

bool nothing_in(const core::PhaseRecords& records) {
  return records.buffers.empty();
}

}  // namespace

core::PhaseRecords take_records(CuptiSession& session, bool drop_counter_proven) {
  drain_devices();
  session.flush();
  const std::optional<std::uint64_t> dropped = session.take_dropped();
  std::vector<BufferPool::Buffer> buffers = session.buffers().close();

  ParsedPhase parsed = parse_buffers(buffers);
  core::PhaseRecords records = std::move(parsed.records);
  const std::uint64_t unreadable = parsed.unreadable + session.buffers().lost();
  session.buffers().recycle(std::move(buffers));
  // A buffer that could not be read to its end has lost at least one record.
  if (drop_counter_proven && dropped) records.dropped = *dropped + unreadable;
  return records;
}

core::PhaseRecords CuptiProof::records_of(std::uint64_t id, const std::function<void(Marker&)>& work) {
  if (!marker_) marker_.emplace();
  drain_devices();
  if (session_.buffers().size() < kProofBufferBytes) session_.buffers().set_size(kProofBufferBytes);
  session_.flush();
  session_.buffers().open();
  push_external_id(id);
  try {
    work(*marker_);
  } catch (...) {
    static_cast<void>(pop_external_id());
    throw;
  }
  static_cast<void>(pop_external_id());
  return take_records(session_, false);
}

std::vector<std::string> CuptiProof::missing(std::uint64_t id, bool& silent) {
  const core::PhaseRecords records = records_of(id, [](Marker& marker) { marker.launch(); });
  silent = nothing_in(records);
  return missing_kinds(records, {.external_kind = external_kind(), .id = id});
}

void CuptiProof::prove_at_start(std::uint64_t id) {
  bool silent = false;
  const std::vector<std::string> kinds = missing(id, silent);
  if (kinds.empty()) return;
  throw Error(ErrorKind::unproven,
              fmt::format("CUPTI does not deliver records of {}, although they are enabled", fmt::join(kinds, ", ")),
              "tracing", "run `opgate doctor`, and update the driver or the CUDA toolkit if it agrees");
}

void CuptiProof::prove_after_phase(std::uint64_t id) {
  bool silent = false;
  std::vector<std::string> kinds = missing(id, silent);
  if (kinds.empty()) return;
  bool ours = true;
  if (silent) {
    // Either nothing is traced any more, or somebody else is handed what is: with our callbacks back this shows.
    session_.register_callbacks();
    bool still_silent = false;
    kinds = missing(id, still_silent);
    ours = still_silent;
  }
  session_.enable_kinds();
  if (!ours) {
    throw Error(ErrorKind::attribution,
                "the call registered buffer callbacks of its own with CUPTI, so that its records went elsewhere",
                "tracing", "take cuptiActivityRegisterCallbacks out of the op: CUPTI serves one user in a process");
  }
  throw Error(ErrorKind::attribution,
              fmt::format("CUPTI no longer delivers records of {}: the call disabled them", fmt::join(kinds, ", ")),
              "tracing", "take cuptiActivityDisable out of the op: CUPTI serves one user in a process");
}

void CuptiProof::prove_graphs(std::uint64_t id) {
  if (graphs_proven_) return;
  const core::PhaseRecords records = records_of(id, [](Marker& marker) { marker.launch_graph(); });
  const int labelled = graph_kernels_labelled(records, {.external_kind = external_kind(), .id = id});
  if (labelled != kMarkerGraphKernels) {
    throw Error(ErrorKind::attribution,
                fmt::format("CUPTI gives kernels of a CUDA graph wrong correlation ids in this process ({} of {} carry "
                            "their label), as that of CUDA 13.0 does after an earlier session",
                            labelled, kMarkerGraphKernels),
                "graph launches", "keep other users of CUPTI out of the process, or use CUDA 13.1 update 1 or newer");
  }
  graphs_proven_ = true;
}

}  // namespace opgate::collect
