#include "collect/cupti_session.hpp"

#include <cupti.h>
#include <fmt/format.h>

#include <array>
#include <cstdlib>
#include <string>

#include "collect/attached_tool.hpp"
#include "collect/cuda_devices.hpp"
#include "collect/cupti_check.hpp"
#include "collect/cupti_filter.hpp"
#include "collect/cupti_library.hpp"
#include "opgate/error.hpp"

namespace opgate::collect {
namespace {

// CONCURRENT_KERNEL, because KERNEL serialises. External-correlation records need RUNTIME and DRIVER. The two copy
// kinds and MEMSET show work that a kernel-only collection never sees. GRAPH_TRACE would hide the nodes of a graph.
constexpr std::array kKinds{CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL,
                            CUPTI_ACTIVITY_KIND_RUNTIME,
                            CUPTI_ACTIVITY_KIND_DRIVER,
                            CUPTI_ACTIVITY_KIND_EXTERNAL_CORRELATION,
                            CUPTI_ACTIVITY_KIND_MEMCPY,
                            CUPTI_ACTIVITY_KIND_MEMCPY2,
                            CUPTI_ACTIVITY_KIND_MEMSET};

void CUPTIAPI buffer_requested(std::uint8_t** buffer, std::size_t* size, std::size_t* most_records) {
  *buffer = CuptiSession::instance().buffers().request(*size);
  *most_records = 0;
}

void CUPTIAPI buffer_completed(CUcontext, std::uint32_t, std::uint8_t* buffer, std::size_t size, std::size_t valid) {
  CuptiSession::instance().buffers().complete(buffer, size, valid);
}

void refuse_other_tools() {
  const auto tool = attached_tool([](const char* variable) -> const char* { return std::getenv(variable); });
  if (!tool) return;
  throw Error(ErrorKind::cupti,
              fmt::format("{} is attached to this process ({}), and CUPTI serves one tool at a time", tool->name,
                          tool->evidence),
              "tracing", tool->remedy);
}

void set_up_buffers(BufferPool& buffers) {
  // Ids as the system knows them, so that a message can name a thread that a debugger shows.
  check_cupti(cuptiSetThreadIdType(CUPTI_ACTIVITY_THREAD_ID_TYPE_SYSTEM), "cuptiSetThreadIdType");
  std::uint8_t zeroed = 1;
  std::size_t bytes = sizeof zeroed;
  check_cupti(cuptiActivitySetAttribute(CUPTI_ACTIVITY_ATTR_ZEROED_OUT_ACTIVITY_BUFFER, &bytes, &zeroed),
              "cuptiActivitySetAttribute(ZEROED_OUT_ACTIVITY_BUFFER)");
  buffers.set_size(std::size_t{256} * 1024);
}

}  // namespace

CuptiSession& CuptiSession::instance() {
  static auto* const session = new CuptiSession();
  return *session;
}

void CuptiSession::enable() {
  refuse_other_tools();
  // First, so that a machine without a usable GPU says so in CUDA's words, not in CUPTI's.
  create_context();
  static_cast<void>(cupti_path());
  set_up_buffers(buffers_);
  register_callbacks();
  try {
    enable_kinds();
  } catch (...) {
    disable();
    throw;
  }
  enabled_ = true;
}

void CuptiSession::register_callbacks() {
  check_cupti(cuptiActivityRegisterCallbacks(buffer_requested, buffer_completed), "cuptiActivityRegisterCallbacks");
}

void CuptiSession::enable_kinds() {
  for (const CUpti_ActivityKind kind : kKinds) {
    check_cupti(cuptiActivityEnable(kind), fmt::format("cuptiActivityEnable({})", static_cast<int>(kind)).c_str());
  }
  filter_apis();
}

void CuptiSession::disable() noexcept {
  for (const CUpti_ActivityKind kind : kKinds) static_cast<void>(cuptiActivityDisable(kind));
  static_cast<void>(cuptiActivityFlushAll(CUPTI_ACTIVITY_FLAG_FLUSH_FORCED));
  enabled_ = false;
}

void CuptiSession::flush() {
  check_cupti(cuptiActivityFlushAll(CUPTI_ACTIVITY_FLAG_FLUSH_FORCED), "cuptiActivityFlushAll");
}

std::optional<std::uint64_t> CuptiSession::take_dropped() {
  std::size_t dropped = 0;
  if (cuptiActivityGetNumDroppedRecords(nullptr, 0, &dropped) != CUPTI_SUCCESS) return std::nullopt;
  return dropped;
}

std::uint32_t external_kind() {
  return CUPTI_EXTERNAL_CORRELATION_KIND_CUSTOM2;
}

void push_external_id(std::uint64_t id) {
  check_cupti(cuptiActivityPushExternalCorrelationId(CUPTI_EXTERNAL_CORRELATION_KIND_CUSTOM2, id),
              "cuptiActivityPushExternalCorrelationId");
}

std::optional<std::uint64_t> pop_external_id() {
  std::uint64_t id = 0;
  const CUptiResult result = cuptiActivityPopExternalCorrelationId(CUPTI_EXTERNAL_CORRELATION_KIND_CUSTOM2, &id);
  if (result == CUPTI_ERROR_QUEUE_EMPTY) return std::nullopt;
  check_cupti(result, "cuptiActivityPopExternalCorrelationId");
  return id;
}

}  // namespace opgate::collect
