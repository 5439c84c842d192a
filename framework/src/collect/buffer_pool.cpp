#include "collect/buffer_pool.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <new>
#include <utility>

#include "opgate/error.hpp"

namespace opgate::collect {
namespace {

// Pages, so that neighbouring buffers share none; CUPTI itself asks for 8 bytes.
constexpr std::size_t kAlignment = 4096;
// Spares made ahead of a phase, so that a launch never waits for memory: enough for the phase's records at 256 KB, and
// for 100,000 kernels (28 MB) at 8 MB.
constexpr std::size_t kSpareBytes = 32U << 20U;
constexpr std::size_t kFewestSpares = 2;
constexpr std::size_t kMostSpares = 8;
// Buffers are touched when they are made; a senseless size must fail here, not by taking the machine's memory.
constexpr std::size_t kLargestBuffer = std::size_t{4} << 30U;

}  // namespace

BufferPool::Memory BufferPool::allocate(std::size_t bytes) {
  if (bytes > kLargestBuffer) return nullptr;
  const std::size_t rounded = (std::max<std::size_t>(bytes, 1) + kAlignment - 1) / kAlignment * kAlignment;
  Memory memory(static_cast<std::uint8_t*>(std::aligned_alloc(kAlignment, rounded)));
  if (memory) std::memset(memory.get(), 0, rounded);
  return memory;
}

void BufferPool::set_size(std::size_t bytes) {
  const std::lock_guard lock(mutex_);
  if (bytes != size_) {
    clean_.clear();
    dirty_.clear();
    size_ = bytes;
  }
  for (Memory& memory : dirty_) {
    std::memset(memory.get(), 0, size_);
    clean_.push_back(std::move(memory));
  }
  dirty_.clear();
  const std::size_t spares = std::clamp(kSpareBytes / std::max<std::size_t>(size_, 1), kFewestSpares, kMostSpares);
  while (clean_.size() < spares) {
    Memory memory = allocate(size_);
    if (!memory) {
      throw Error(ErrorKind::cupti, fmt::format("there is no memory for activity buffers of {} bytes", size_),
                  "tracing", "ask for smaller buffers or fewer launches in a call");
    }
    clean_.push_back(std::move(memory));
  }
}

void BufferPool::open() {
  const std::lock_guard lock(mutex_);
  completed_.clear();
  lost_ = 0;
  open_ = true;
}

std::vector<BufferPool::Buffer> BufferPool::close() {
  const std::lock_guard lock(mutex_);
  open_ = false;
  return std::exchange(completed_, {});
}

void BufferPool::recycle(std::vector<Buffer> buffers) {
  const std::lock_guard lock(mutex_);
  for (Buffer& buffer : buffers) {
    if (buffer.size == size_) dirty_.push_back(std::move(buffer.memory));
  }
}

std::size_t BufferPool::size() const {
  const std::lock_guard lock(mutex_);
  return size_;
}

std::size_t BufferPool::lost() const {
  const std::lock_guard lock(mutex_);
  return lost_;
}

std::uint8_t* BufferPool::request(std::size_t& size) noexcept {
  const std::lock_guard lock(mutex_);
  size = size_;
  Memory memory;
  if (!clean_.empty()) {
    memory = std::move(clean_.back());
    clean_.pop_back();
  } else if (!dirty_.empty()) {
    memory = std::move(dirty_.back());
    dirty_.pop_back();
    std::memset(memory.get(), 0, size_);
  } else {
    memory = allocate(size_);
  }
  if (!memory) size = 0;
  return memory.release();
}

void BufferPool::complete(std::uint8_t* raw, std::size_t size, std::size_t valid) noexcept {
  Memory memory(raw);
  const std::lock_guard lock(mutex_);
  try {
    if (open_ && valid > 0) {
      completed_.push_back(Buffer{std::move(memory), size, valid});
    } else if (size == size_) {
      dirty_.push_back(std::move(memory));
    }
  } catch (const std::bad_alloc&) {
    if (open_ && valid > 0) ++lost_;
  }
}

}  // namespace opgate::collect
