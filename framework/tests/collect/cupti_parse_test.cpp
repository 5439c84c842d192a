#include "collect/cupti_parse.hpp"

#include <cupti.h>

#include <boost/test/unit_test.hpp>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <utility>
#include <vector>

#include "answering_cupti.hpp"

using opgate::collect::BufferPool;
using opgate::collect::parse_buffer;
using opgate::collect::parse_buffers;
using opgate::collect::RecordTable;
using opgate::core::PhaseRecords;
using opgate::core::RecordKind;

namespace {

// An activity buffer as CUPTI fills it: records one after the other.
struct ActivityBuffer {
  alignas(8) std::uint8_t memory[8192] = {};
  std::size_t size = 0;

  template <class Activity>
  void add(const Activity& activity) {
    std::memcpy(memory + size, &activity, sizeof activity);
    size += sizeof activity;
  }
};

#if CUPTI_API_VERSION >= 130000
using Kernel = CUpti_ActivityKernel10;
#else
using Kernel = CUpti_ActivityKernel9;
#endif

Kernel kernel_activity() {
  Kernel kernel{};
  kernel.kind = CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL;
  kernel.start = 1'700'000'000'000'000'123;
  kernel.end = 1'700'000'000'000'002'171;
  kernel.deviceId = 3;
  kernel.contextId = 1;
  kernel.streamId = 13;
  kernel.gridX = 4;
  kernel.gridY = 5;
  kernel.gridZ = 6;
  kernel.blockX = 128;
  kernel.blockY = 2;
  kernel.blockZ = 1;
  kernel.registersPerThread = 40;
  kernel.staticSharedMemory = 1024;
  kernel.dynamicSharedMemory = 2048;
  kernel.correlationId = 99;
  kernel.name = "_Z3addPf";
  return kernel;
}

CUpti_ActivityAPI api_activity(CUpti_ActivityKind kind, CUpti_CallbackId id) {
  CUpti_ActivityAPI api{};
  api.kind = kind;
  api.cbid = id;
  api.start = 10;
  api.end = 20;
  api.threadId = 4242;
  api.correlationId = 99;
  return api;
}

// One buffer a kernel name, each with `launches` records of its own and of the kernel that all share.
std::vector<BufferPool::Buffer> buffers_of(const std::vector<const char*>& kernels, std::size_t launches) {
  std::vector<BufferPool::Buffer> buffers;
  for (const char* const name : kernels) {
    Kernel own = kernel_activity();
    own.name = name;
    const std::size_t bytes = launches * (2 * sizeof(Kernel) + sizeof(CUpti_ActivityAPI));
    BufferPool::Buffer buffer{BufferPool::Memory(static_cast<std::uint8_t*>(std::malloc(bytes))), bytes, bytes};
    std::uint8_t* at = buffer.memory.get();
    const auto add = [&at](const auto& activity) {
      std::memcpy(at, &activity, sizeof activity);
      at += sizeof activity;
    };
    const CUpti_CallbackId call =
        buffers.size() % 2 == 0 ? CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel : CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx;
    for (std::size_t i = 0; i < launches; ++i) {
      own.correlationId = static_cast<std::uint32_t>(buffers.size() * launches + i);
      add(own);
      add(kernel_activity());
      add(api_activity(CUPTI_ACTIVITY_KIND_DRIVER, call));
    }
    buffers.push_back(std::move(buffer));
  }
  return buffers;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(cupti_parse, *boost::unit_test::precondition(cupti_answers))

BOOST_AUTO_TEST_CASE(a_kernel_record_keeps_every_field) {
  ActivityBuffer buffer;
  buffer.add(kernel_activity());
  RecordTable table;
  const auto parsed = parse_buffer(buffer.memory, buffer.size, table);
  BOOST_TEST(parsed.complete);
  BOOST_REQUIRE(parsed.records.size() == 1U);
  const auto& record = parsed.records[0];
  BOOST_TEST((record.kind == RecordKind::kernel));
  BOOST_TEST(record.start_ns == 1'700'000'000'000'000'123);
  BOOST_TEST(record.end_ns - record.start_ns == 2048);
  BOOST_TEST(record.device_id == 3U);
  BOOST_TEST(record.context_id == 1U);
  BOOST_TEST(record.stream_id == 13U);
  BOOST_TEST(record.correlation_id == 99U);
  PhaseRecords records;
  table.release_into(records);
  BOOST_REQUIRE(records.kernels.size() == 1U);
  const opgate::core::KernelInfo expected{"_Z3addPf", {4, 5, 6}, {128, 2, 1}, 40, 1024, 2048};
  BOOST_TEST((records.kernels[0] == expected));
}

BOOST_AUTO_TEST_CASE(api_records_name_the_call_and_the_thread) {
  ActivityBuffer buffer;
  buffer.add(api_activity(CUPTI_ACTIVITY_KIND_RUNTIME, CUPTI_RUNTIME_TRACE_CBID_cudaLaunchKernel_v7000));
  buffer.add(api_activity(CUPTI_ACTIVITY_KIND_DRIVER, CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel));
  RecordTable table;
  const auto parsed = parse_buffer(buffer.memory, buffer.size, table);
  BOOST_REQUIRE(parsed.records.size() == 2U);
  PhaseRecords records;
  table.release_into(records);
  for (const auto& record : parsed.records) {
    BOOST_TEST((record.kind == RecordKind::api));
    BOOST_TEST(record.thread_id == 4242U);
    BOOST_TEST(record.end_ns == 20);
  }
  BOOST_TEST(records.names.at(parsed.records[0].name).find("cudaLaunchKernel") == 0U);
  BOOST_TEST(records.names.at(parsed.records[1].name) == "cuLaunchKernel");
}

BOOST_AUTO_TEST_CASE(calls_that_failed_are_left_out) {
  ActivityBuffer buffer;
  CUpti_ActivityAPI refused =
      api_activity(CUPTI_ACTIVITY_KIND_RUNTIME, CUPTI_RUNTIME_TRACE_CBID_cudaLaunchKernel_v7000);
  refused.returnValue = 1;
  buffer.add(refused);
  buffer.add(api_activity(CUPTI_ACTIVITY_KIND_DRIVER, CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel));
  RecordTable table;
  BOOST_TEST(parse_buffer(buffer.memory, buffer.size, table).records.size() == 1U);
}

BOOST_AUTO_TEST_CASE(external_records_and_copies_keep_their_ids_and_sizes) {
  ActivityBuffer buffer;
  CUpti_ActivityExternalCorrelation external{};
  external.kind = CUPTI_ACTIVITY_KIND_EXTERNAL_CORRELATION;
  external.externalKind = CUPTI_EXTERNAL_CORRELATION_KIND_CUSTOM2;
  external.externalId = 0xdead'beef'0000'0007U;
  external.correlationId = 5;
  buffer.add(external);
  CUpti_ActivityMemcpy6 copy{};
  copy.kind = CUPTI_ACTIVITY_KIND_MEMCPY;
  copy.copyKind = CUPTI_ACTIVITY_MEMCPY_KIND_DTOD;
  copy.bytes = 1U << 20U;
  copy.correlationId = 6;
  copy.start = 7;
  copy.end = 8;
  buffer.add(copy);
  CUpti_ActivityMemcpyPtoP4 peer{};
  peer.kind = CUPTI_ACTIVITY_KIND_MEMCPY2;
  peer.copyKind = CUPTI_ACTIVITY_MEMCPY_KIND_PTOP;
  peer.bytes = 4096;
  buffer.add(peer);
  CUpti_ActivityMemset4 set{};
  set.kind = CUPTI_ACTIVITY_KIND_MEMSET;
  set.bytes = 512;
  set.correlationId = 7;
  buffer.add(set);
  RecordTable table;
  const auto parsed = parse_buffer(buffer.memory, buffer.size, table);
  BOOST_REQUIRE(parsed.records.size() == 4U);
  BOOST_TEST(parsed.records[0].external_id == 0xdead'beef'0000'0007U);
  BOOST_TEST(parsed.records[0].external_kind == 5U);
  BOOST_TEST(parsed.records[0].correlation_id == 5U);
  BOOST_TEST((parsed.records[1].kind == RecordKind::memcpy));
  BOOST_TEST(parsed.records[1].bytes == 1U << 20U);
  BOOST_TEST(parsed.records[1].copy_kind == static_cast<unsigned>(CUPTI_ACTIVITY_MEMCPY_KIND_DTOD));
  BOOST_TEST(parsed.records[2].bytes == 4096U);
  BOOST_TEST((parsed.records[3].kind == RecordKind::memset));
  BOOST_TEST(parsed.records[3].bytes == 512U);
}

BOOST_AUTO_TEST_CASE(records_behind_an_unreadable_one_are_known_to_be_lost) {
  ActivityBuffer buffer;
  buffer.add(kernel_activity());
  const std::size_t readable = buffer.size;
  buffer.add(CUpti_ActivityExternalCorrelation{});  // kind 0: never completed
  RecordTable table;
  const auto parsed = parse_buffer(buffer.memory, buffer.size, table);
  BOOST_TEST(parsed.records.size() == 1U);
  BOOST_TEST(!parsed.complete);
  BOOST_TEST(parse_buffer(buffer.memory, readable, table).complete);
}

BOOST_AUTO_TEST_CASE(many_threads_read_a_phase_as_one_does) {
  std::vector<BufferPool::Buffer> buffers = buffers_of({"_Z1av", "_Z1bv", "_Z1av", "_Z1cv", "_Z1dv"}, 4000);
  std::memset(buffers[3].memory.get() + sizeof(Kernel), 0, sizeof(CUpti_ActivityKind));  // its second record
  PhaseRecords expected;
  RecordTable table;
  std::size_t bytes = 0;
  for (const BufferPool::Buffer& buffer : buffers) {
    expected.buffers.push_back(parse_buffer(buffer.memory.get(), buffer.valid, table).records);
    bytes += buffer.valid;
  }
  table.release_into(expected);
  BOOST_REQUIRE(bytes > opgate::collect::kBytesWorthThreads);
  const auto phase = parse_buffers(buffers);
  BOOST_TEST((phase.records == expected));
  BOOST_TEST(phase.unreadable == 1U);
  BOOST_TEST(phase.records.kernels.size() == 5U);
  BOOST_TEST(phase.records.names.size() == 2U);
  BOOST_TEST(phase.records.buffers[3].size() == 1U);
  BOOST_TEST(parse_buffers({}).records.buffers.empty());
}

BOOST_AUTO_TEST_SUITE_END()
