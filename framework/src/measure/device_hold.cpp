#include "measure/device_hold.hpp"

#include <cuda.h>
#include <cuda_runtime_api.h>

#include <chrono>
#include <cstdlib>
#include <string_view>
#include <utility>

#include "measure/cuda_check.hpp"

namespace opgate::measure {
namespace {

using Clock = std::chrono::steady_clock;
// A call of a thousand launches takes 10 ms to issue; a host that is late by this much is waiting.
constexpr std::chrono::milliseconds kLongestHold{100};
constexpr std::chrono::milliseconds kLook{2};

using WaitValue = CUresult (*)(CUstream, CUdeviceptr, cuuint32_t, unsigned int);

std::int64_t now_ns() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now().time_since_epoch()).count();
}

bool launches_block() {
  const char* const value = std::getenv("CUDA_LAUNCH_BLOCKING");
  return value != nullptr && *value != '\0' && std::string_view(value) != "0";
}

// Through the runtime, so that the executable starts where no driver is installed.
void* find_wait_value() {
  constexpr unsigned int kSince = 12000;  // the form without the "_v2" of older drivers
  void* function = nullptr;
  cudaDriverEntryPointQueryResult found = cudaDriverEntryPointSymbolNotFound;
  check_cuda(cudaGetDriverEntryPointByVersion("cuStreamWaitValue32", &function, kSince, cudaEnableDefault, &found),
             "cudaGetDriverEntryPointByVersion");
  return found == cudaDriverEntryPointSuccess ? function : nullptr;
}

}  // namespace

DeviceHold::DeviceHold() {
  if (launches_block()) {
    refusal_ = "CUDA_LAUNCH_BLOCKING is set, so every launch waits for the device";
    return;
  }
  wait_value_ = find_wait_value();
  if (wait_value_ == nullptr) {
    refusal_ = "the driver has no cuStreamWaitValue32";
    return;
  }
  void* memory = nullptr;
  check_cuda(cudaHostAlloc(&memory, sizeof *word_, cudaHostAllocMapped | cudaHostAllocPortable), "cudaHostAlloc");
  word_ = static_cast<std::uint32_t*>(memory);
  *word_ = 0;
  watchdog_ = std::thread([this] { watch(); });
}

DeviceHold::~DeviceHold() {
  release();
  stop_.store(true);
  if (watchdog_.joinable()) {
    watchdog_.join();
  }
  if (word_ != nullptr) {
    static_cast<void>(cudaFreeHost(word_));
  }
}

void DeviceHold::hold(std::uint32_t iteration) {
  if (!refusal_.empty() || !let_go_.empty()) {
    return;
  }
  ++ticket_;
  iteration_ = iteration;
  armed_at_ns_.store(now_ns());
  armed_ticket_.store(ticket_);
  const CUresult status = reinterpret_cast<WaitValue>(wait_value_)(
      CU_STREAM_LEGACY, reinterpret_cast<CUdeviceptr>(word_), ticket_, CU_STREAM_WAIT_VALUE_GEQ);
  if (status == CUDA_SUCCESS) {
    return;
  }
  armed_ticket_.store(0);
  if (status != CUDA_ERROR_NOT_SUPPORTED) {
    throw Error(ErrorKind::cuda, "error " + std::to_string(static_cast<int>(status)), "cuStreamWaitValue32");
  }
  refusal_ = "the driver cannot make a stream wait for a value";
}

void DeviceHold::release() noexcept {
  if (word_ == nullptr || armed_ticket_.load() == 0) {
    return;
  }
  store_at_least(ticket_);
  armed_ticket_.store(0);
  if (released_by_watchdog_.load() == ticket_) {
    let_go_.push_back(iteration_);
  }
}

std::vector<std::uint32_t> DeviceHold::take_let_go() {
  return std::exchange(let_go_, {});
}

void DeviceHold::watch() noexcept {
  constexpr std::int64_t kLongestNs = std::chrono::nanoseconds(kLongestHold).count();
  while (!stop_.load()) {
    std::this_thread::sleep_for(kLook);
    const std::uint32_t ticket = armed_ticket_.load();
    // Read after the ticket: a later hold's start can only make this one look younger.
    if (ticket != 0 && now_ns() - armed_at_ns_.load() > kLongestNs) {
      released_by_watchdog_.store(ticket);
      store_at_least(ticket);
    }
  }
}

void DeviceHold::store_at_least(std::uint32_t ticket) noexcept {
  std::atomic_ref<std::uint32_t> word(*word_);
  std::uint32_t seen = word.load();
  while (seen < ticket && !word.compare_exchange_weak(seen, ticket)) {
  }
}

}  // namespace opgate::measure
