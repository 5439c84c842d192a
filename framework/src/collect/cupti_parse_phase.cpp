#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <future>
#include <iterator>
#include <span>
#include <thread>
#include <utility>
#include <vector>

#include "collect/cupti_parse.hpp"

namespace opgate::collect {
namespace {

using Buffers = std::span<const BufferPool::Buffer>;

constexpr std::size_t kMostThreads = 8;

struct Part {
  std::vector<core::RecordBuffer> buffers;
  RecordTable table;
  std::uint64_t unreadable = 0;
};

Part parse_part(Buffers buffers) {
  Part part;
  part.buffers.reserve(buffers.size());
  for (const BufferPool::Buffer& buffer : buffers) {
    ParsedBuffer parsed = parse_buffer(buffer.memory.get(), buffer.valid, part.table);
    if (!parsed.complete) ++part.unreadable;
    part.buffers.push_back(std::move(parsed.records));
  }
  return part;
}

std::size_t threads_for(Buffers buffers) {
  std::size_t bytes = 0;
  for (const BufferPool::Buffer& buffer : buffers) bytes += buffer.valid;
  if (bytes < kBytesWorthThreads) return 1;
  return std::clamp<std::size_t>(std::thread::hardware_concurrency(), 1, std::min(kMostThreads, buffers.size()));
}

}  // namespace

ParsedPhase parse_buffers(const std::vector<BufferPool::Buffer>& buffers) {
  const Buffers all(buffers);
  const std::size_t threads = threads_for(all);
  const auto share = [&](std::size_t number) {
    const std::size_t first = all.size() * number / threads;
    return all.subspan(first, all.size() * (number + 1) / threads - first);
  };
  std::vector<std::future<Part>> others;
  for (std::size_t number = 1; number < threads; ++number) {
    // Deferred where no thread can be had: this one then reads that part as well.
    others.push_back(std::async(std::launch::async | std::launch::deferred, parse_part, share(number)));
  }
  Part all_parts = parse_part(share(0));
  for (std::future<Part>& other : others) {
    Part part = other.get();
    all_parts.table.append(part.table, part.buffers);
    std::move(part.buffers.begin(), part.buffers.end(), std::back_inserter(all_parts.buffers));
    all_parts.unreadable += part.unreadable;
  }
  ParsedPhase phase;
  phase.records.buffers = std::move(all_parts.buffers);
  phase.unreadable = all_parts.unreadable;
  all_parts.table.release_into(phase.records);
  return phase;
}

}  // namespace opgate::collect
