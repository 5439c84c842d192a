#include "report/json_parts.hpp"

namespace opgate::report {

Json run_json(const store::RunInfo& run) {
  return {{"run", run.id},
          {"uuid", run.uuid},
          {"origin", run.origin},
          {"started_unix_ms", run.started_unix_ms},
          {"closed_unix_ms", or_null(run.closed_unix_ms)},
          {"host", run.host},
          {"commit", run.commit},
          {"dirty", run.dirty},
          {"replayed", run.replayed},
          {"label", run.label},
          {"options", run.options}};
}

Json ceiling_json(const std::optional<core::CeilingShare>& ceiling) {
  if (!ceiling) return nullptr;
  return {{"bound", core::to_string(ceiling->bound)},
          {"percent", ceiling->percent},
          {"source", ceiling->measured_unix_ms ? "measured" : "peak"},
          {"measured_unix_ms", or_null(ceiling->measured_unix_ms)},
          {"text", core::text_of(*ceiling)}};
}

Json waiver_json(const std::optional<core::Waiver>& waiver) {
  if (!waiver) return nullptr;
  return {{"owner", waiver->owner},
          {"reason", waiver->reason},
          {"expires", waiver->expires},
          {"device", waiver->device.empty() ? Json(nullptr) : Json(waiver->device)}};
}

}  // namespace opgate::report
