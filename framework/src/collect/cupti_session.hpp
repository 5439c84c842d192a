#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "collect/buffer_pool.hpp"

namespace opgate::collect {

// CUPTI as a whole: the buffers it fills, the kinds it traces, its drop counter. One enablement per process, because
// CUDA 13.0 delivers wrong correlation ids for graph launches in every later one (its release notes).
class CuptiSession {
 public:
  // Lives until the process ends: CUPTI's own threads may return buffers after main.
  static CuptiSession& instance();

  // Error(cupti), with nothing left enabled, when tracing cannot be turned on.
  void enable();
  // Parts of enable(), again after somebody else undid them. Error(cupti).
  void register_callbacks();
  void enable_kinds();
  // Disables every kind and drops what is still buffered. Never throws.
  void disable() noexcept;
  // Delivers everything that is complete; the devices must be idle.
  void flush();
  // Records dropped since the last call; nothing when CUPTI cannot tell.
  [[nodiscard]] std::optional<std::uint64_t> take_dropped();

  [[nodiscard]] BufferPool& buffers() noexcept { return buffers_; }
  [[nodiscard]] bool enabled() const noexcept { return enabled_; }

 private:
  CuptiSession() = default;
  BufferPool buffers_;
  bool enabled_ = false;
};

// CUPTI_EXTERNAL_CORRELATION_KIND_CUSTOM2, on the calling thread's stack.
[[nodiscard]] std::uint32_t external_kind();
void push_external_id(std::uint64_t id);
[[nodiscard]] std::optional<std::uint64_t> pop_external_id();

}  // namespace opgate::collect
