#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "collect/buffer_pool.hpp"
#include "collect/record_table.hpp"
#include "core/records.hpp"

namespace opgate::collect {

struct ParsedBuffer {
  core::RecordBuffer records;
  bool complete = true;  // false: the buffer held bytes after the last record that could be read
};

// Every record of a kind that opgate knows in a completed activity buffer, in its order.
[[nodiscard]] ParsedBuffer parse_buffer(std::uint8_t* memory, std::size_t valid_bytes, RecordTable& table);

// Above so many bytes of records, several threads read a phase's buffers: most of the time goes into memory that is
// touched for the first time.
inline constexpr std::size_t kBytesWorthThreads = std::size_t{4} << 20U;

struct ParsedPhase {
  core::PhaseRecords records;    // buffers, names and kernels
  std::uint64_t unreadable = 0;  // buffers that were not complete
};

// All buffers, in their order; names and kernels are numbered by their first record, however many threads read.
[[nodiscard]] ParsedPhase parse_buffers(const std::vector<BufferPool::Buffer>& buffers);

}  // namespace opgate::collect
