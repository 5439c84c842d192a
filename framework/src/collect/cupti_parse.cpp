#include "collect/cupti_parse.hpp"

#include <cupti.h>

#include <cstddef>
#include <optional>
#include <string>

#include "collect/cupti_check.hpp"

namespace opgate::collect {
namespace {

using core::Record;
using core::RecordKind;

// The record types that each CUPTI delivers (its release notes). They only ever grew at the end, and older ones stay
// in cupti_activity_deprecated.h.
#if CUPTI_API_VERSION >= 130300
using KernelActivity = CUpti_ActivityKernel12;
#elif CUPTI_API_VERSION >= 130200
using KernelActivity = CUpti_ActivityKernel11;
#elif CUPTI_API_VERSION >= 130000
using KernelActivity = CUpti_ActivityKernel10;
#elif CUPTI_API_VERSION >= 26
using KernelActivity = CUpti_ActivityKernel9;
#else
#error "opgate needs CUPTI of CUDA 12.8 or newer"
#endif
// The loaded CUPTI may be of another minor release than these headers, and deliver the type of its own: what is read
// here lies at the same place in all of them.
#define OPGATE_SAME_PLACE(field)                                                           \
  static_assert(offsetof(KernelActivity, field) == offsetof(CUpti_ActivityKernel9, field), \
                "moved between CUPTI releases")
OPGATE_SAME_PLACE(start);
OPGATE_SAME_PLACE(end);
OPGATE_SAME_PLACE(deviceId);
OPGATE_SAME_PLACE(contextId);
OPGATE_SAME_PLACE(streamId);
OPGATE_SAME_PLACE(gridX);
OPGATE_SAME_PLACE(blockZ);
OPGATE_SAME_PLACE(registersPerThread);
OPGATE_SAME_PLACE(staticSharedMemory);
OPGATE_SAME_PLACE(dynamicSharedMemory);
OPGATE_SAME_PLACE(correlationId);
OPGATE_SAME_PLACE(name);
#undef OPGATE_SAME_PLACE
constexpr std::size_t kBytesOfLaunch =
    sizeof(KernelActivity) + sizeof(CUpti_ActivityAPI) + sizeof(CUpti_ActivityExternalCorrelation);
using MemcpyActivity = CUpti_ActivityMemcpy6;
using PeerMemcpyActivity = CUpti_ActivityMemcpyPtoP4;
using MemsetActivity = CUpti_ActivityMemset4;

template <class Activity>
const Activity& as(const CUpti_Activity& activity) {
  return *reinterpret_cast<const Activity*>(&activity);
}

// What kernels, copies and memsets have in common.
template <class Activity>
Record device_record(RecordKind kind, const Activity& activity) {
  Record record;
  record.kind = kind;
  record.start_ns = static_cast<std::int64_t>(activity.start);
  record.end_ns = static_cast<std::int64_t>(activity.end);
  record.correlation_id = activity.correlationId;
  record.device_id = activity.deviceId;
  record.context_id = activity.contextId;
  record.stream_id = activity.streamId;
  return record;
}

Record kernel_record(const KernelActivity& kernel, RecordTable& table) {
  Record record = device_record(RecordKind::kernel, kernel);
  core::KernelInfo info;
  info.grid = {kernel.gridX, kernel.gridY, kernel.gridZ};
  info.block = {kernel.blockX, kernel.blockY, kernel.blockZ};
  info.registers = kernel.registersPerThread;
  info.static_shared_bytes = kernel.staticSharedMemory;
  info.dynamic_shared_bytes = kernel.dynamicSharedMemory;
  record.name = table.kernel(kernel.name == nullptr ? "" : kernel.name, info);
  return record;
}

template <class Activity>
Record copy_record(const Activity& copy) {
  Record record = device_record(RecordKind::memcpy, copy);
  record.bytes = copy.bytes;
  record.copy_kind = copy.copyKind;
  return record;
}

Record memset_record(const MemsetActivity& memset) {
  Record record = device_record(RecordKind::memset, memset);
  record.bytes = memset.bytes;
  return record;
}

Record api_record(const CUpti_ActivityAPI& api, CUpti_CallbackDomain domain, RecordTable& table) {
  Record record;
  record.kind = RecordKind::api;
  record.start_ns = static_cast<std::int64_t>(api.start);
  record.end_ns = static_cast<std::int64_t>(api.end);
  record.correlation_id = api.correlationId;
  record.thread_id = api.threadId;
  const std::uint64_t id = std::uint64_t{static_cast<std::uint32_t>(domain)} << 32U | api.cbid;
  record.name = table.name_of(id, [&] {
    const char* name = nullptr;
    const bool named = cuptiGetCallbackName(domain, api.cbid, &name) == CUPTI_SUCCESS && name != nullptr;
    return named ? std::string(name) : "cbid " + std::to_string(api.cbid);
  });
  return record;
}

Record external_record(const CUpti_ActivityExternalCorrelation& external) {
  Record record;
  record.kind = RecordKind::external;
  record.correlation_id = external.correlationId;
  record.external_kind = static_cast<std::uint32_t>(external.externalKind);
  record.external_id = external.externalId;
  return record;
}

std::optional<Record> to_record(const CUpti_Activity& activity, RecordTable& table) {
  switch (activity.kind) {
    case CUPTI_ACTIVITY_KIND_KERNEL:
    case CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL:
      return kernel_record(as<KernelActivity>(activity), table);
    case CUPTI_ACTIVITY_KIND_MEMCPY:
      return copy_record(as<MemcpyActivity>(activity));
    case CUPTI_ACTIVITY_KIND_MEMCPY2:
      return copy_record(as<PeerMemcpyActivity>(activity));
    case CUPTI_ACTIVITY_KIND_MEMSET:
      return memset_record(as<MemsetActivity>(activity));
    case CUPTI_ACTIVITY_KIND_RUNTIME:
    case CUPTI_ACTIVITY_KIND_DRIVER: {
      const auto& api = as<CUpti_ActivityAPI>(activity);
      // A call that failed put nothing on the device.
      if (api.returnValue != 0) return std::nullopt;
      const bool runtime = activity.kind == CUPTI_ACTIVITY_KIND_RUNTIME;
      return api_record(api, runtime ? CUPTI_CB_DOMAIN_RUNTIME_API : CUPTI_CB_DOMAIN_DRIVER_API, table);
    }
    case CUPTI_ACTIVITY_KIND_EXTERNAL_CORRELATION:
      return external_record(as<CUpti_ActivityExternalCorrelation>(activity));
    default:
      return std::nullopt;
  }
}

}  // namespace

ParsedBuffer parse_buffer(std::uint8_t* memory, std::size_t valid_bytes, RecordTable& table) {
  ParsedBuffer parsed;
  // A launch is a kernel, an API and an external-correlation record; a list that grows by copying costs as much again.
  parsed.records.reserve(3 * valid_bytes / kBytesOfLaunch + 1);
  CUpti_Activity* activity = nullptr;
  while (true) {
    const CUptiResult result = cuptiActivityGetNextRecord(memory, valid_bytes, &activity);
    if (result == CUPTI_ERROR_MAX_LIMIT_REACHED) return parsed;
    if (result == CUPTI_ERROR_INVALID_KIND) {
      // An incomplete record ends the buffer and hides what follows it.
      parsed.complete = false;
      return parsed;
    }
    check_cupti(result, "cuptiActivityGetNextRecord");
    if (const auto record = to_record(*activity, table)) parsed.records.push_back(*record);
  }
}

}  // namespace opgate::collect
