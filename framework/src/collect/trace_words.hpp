#pragma once

#include <string_view>
#include <utility>

#include "collect/collector.hpp"
#include "core/records.hpp"

namespace opgate::collect {

// How a trace spells enumerators: a table per type, in reading and in writing.
template <class T>
struct Word {
  T value;
  std::string_view text;
};

inline constexpr Word<PhaseKind> kPhaseKinds[] = {
    {PhaseKind::proof, "proof"}, {PhaseKind::warmup, "warmup"}, {PhaseKind::measure, "measure"}};
inline constexpr Word<Protocol> kProtocols[] = {{Protocol::opgate_1, "opgate-1"}, {Protocol::method_1, "method-1"}};
inline constexpr Word<Timing> kTimings[] = {{Timing::cupti, "cupti"}, {Timing::cuda_events, "cuda-events"}};
inline constexpr Word<Flush> kFlushes[] = {{Flush::read, "read"}, {Flush::memset, "memset"}, {Flush::none, "none"}};
inline constexpr Word<Launch> kLaunches[] = {{Launch::direct, "direct"}, {Launch::queued, "queued"}};
// First element of a record's line.
inline constexpr Word<core::RecordKind> kRecordKinds[] = {{core::RecordKind::kernel, "k"},
                                                          {core::RecordKind::memcpy, "c"},
                                                          {core::RecordKind::memset, "s"},
                                                          {core::RecordKind::api, "a"},
                                                          {core::RecordKind::external, "x"}};

template <class T, std::size_t N>
[[nodiscard]] constexpr std::string_view word_of(const Word<T> (&table)[N], T value) {
  for (const Word<T>& word : table) {
    if (word.value == value) return word.text;
  }
  return {};
}

template <class T, std::size_t N>
[[nodiscard]] constexpr const T* value_of(const Word<T> (&table)[N], std::string_view text) {
  for (const Word<T>& word : table) {
    if (word.text == text) return &word.value;
  }
  return nullptr;
}

inline constexpr std::string_view kTraceFormat = "opgate-trace";
inline constexpr int kTraceVersion = 3;

}  // namespace opgate::collect
