#pragma once

#include <cstdint>
#include <string_view>

namespace opgate::collect {

// What a CUDA call means to whoever wants to know since when the device is idle.
enum class ApiEffect : std::uint8_t {
  none,      // or not known: it neither waits for the device nor gives it work
  waits,     // may return only when the device has done something
  works,     // gives the device work
  copies,    // gives the device work, and may wait for it
  captures,  // begins a capture, in which nothing may wait
};

// By name, as keeps_api() and for the same reason. A call that waits and is not known as one only leaves the time that
// the host takes after it unknown.
[[nodiscard]] constexpr ApiEffect effect_of(std::string_view name) {
  const auto has = [name](std::string_view word) { return name.find(word) != std::string_view::npos; };
  if (has("BeginCapture")) return ApiEffect::captures;
  if (has("GraphAdd") || has("NodeSetParams") || has("NodeGetParams")) return ApiEffect::none;
  const bool async = has("Async");
  // In the order of a stream, and over before the work of that stream is.
  if (async && (has("Malloc") || has("Free") || has("Alloc"))) return ApiEffect::none;
  if (has("Launch") || async || has("Prefetch") || has("Batch")) return ApiEffect::works;
  if (has("Memcpy") || has("Memset")) return ApiEffect::copies;
  for (const std::string_view word :
       {"Synchronize", "Free", "Malloc", "MemAlloc", "HostAlloc", "HostRegister", "HostUnregister", "ArrayCreate",
        "ArrayDestroy", "MemUnmap", "MemRelease", "MemPoolDestroy", "MemPoolTrim", "GraphMemTrim", "ModuleUnload",
        "LibraryUnload", "IpcCloseMemHandle", "SetLimit"}) {
    if (has(word)) return ApiEffect::waits;
  }
  return ApiEffect::none;
}

}  // namespace opgate::collect
