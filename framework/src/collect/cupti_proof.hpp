#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "collect/cupti_session.hpp"
#include "collect/marker.hpp"
#include "collect/tracing_proof.hpp"
#include "core/records.hpp"

namespace opgate::collect {

// Waits for every device, flushes, and takes what was delivered since the pool was opened. The drop count only where
// the counter was proven.
[[nodiscard]] core::PhaseRecords take_records(CuptiSession& session, bool drop_counter_proven);

// That CUPTI still traces for us, shown by work of our own. The op shares the process, and a kind that it disabled or
// callbacks that it replaced would otherwise look like an op that launches less. Peer copies (MEMCPY2) need a second
// device and stay unproven.
class CuptiProof {
 public:
  explicit CuptiProof(CuptiSession& session) : session_(session) {}

  // Between phases. Error(unproven) when tracing was never whole, Error(attribution) when the call ended it; then
  // tracing is turned on again for whoever measures next.
  void prove_at_start(std::uint64_t id);
  void prove_after_phase(std::uint64_t id);
  // Once per process, for calls that launch graphs. Error(attribution).
  void prove_graphs(std::uint64_t id);

 private:
  [[nodiscard]] core::PhaseRecords records_of(std::uint64_t id, const std::function<void(Marker&)>& work);
  [[nodiscard]] std::vector<std::string> missing(std::uint64_t id, bool& silent);

  CuptiSession& session_;
  std::optional<Marker> marker_;
  bool graphs_proven_ = false;
};

}  // namespace opgate::collect
