#include "run/record_memory.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <exception>
#include <string_view>
#include <utility>

namespace opgate::run {
namespace {

std::size_t records_in(const collect::Trace& trace) {
  std::size_t count = 0;
  for (const collect::TracePhase& phase : trace.phases) {
    for (const core::RecordBuffer& buffer : phase.records.buffers) {
      count += buffer.size();
    }
  }
  return count;
}

bool write_all(int descriptor, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(descriptor, text.data(), text.size());
    if (written < 0 && errno != EINTR) {
      return false;
    }
    text.remove_prefix(written > 0 ? static_cast<std::size_t>(written) : 0);
  }
  return true;
}

}  // namespace

RecordMemory::RecordMemory() : descriptor_(::memfd_create("opgate-records", MFD_CLOEXEC)) {}

RecordMemory::RecordMemory(RecordMemory&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}

RecordMemory::~RecordMemory() {
  if (descriptor_ >= 0) {
    ::close(descriptor_);
  }
}

std::string RecordMemory::take() const {
  std::string text;
  std::array<char, 65536> chunk{};
  for (;;) {
    const ssize_t count = ::pread(descriptor_, chunk.data(), chunk.size(), static_cast<off_t>(text.size()));
    if (count > 0) {
      text.append(chunk.data(), static_cast<std::size_t>(count));
    } else if (count == 0 || errno != EINTR) {
      return count == 0 ? text : std::string();
    }
  }
}

void leave_records(int descriptor, const collect::Trace& trace) {
  if (trace.phases.empty() || records_in(trace) > kMostKeptRecords) {
    return;
  }
  try {
    if (write_all(descriptor, collect::format_trace(trace))) {
      return;
    }
  } catch (const std::exception&) {
    // Such as a name that JSON cannot hold, or memory that is short. The measurement is worth more.
  }
  static_cast<void>(::ftruncate(descriptor, 0) == 0);  // else what is there is no trace, and is refused as none
}

}  // namespace opgate::run
