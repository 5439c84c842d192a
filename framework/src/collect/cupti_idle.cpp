#include "collect/cupti_idle.hpp"

#include <cupti.h>

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <utility>

#include "collect/api_effect.hpp"
#include "collect/bounded_drain.hpp"
#include "collect/cuda_devices.hpp"
#include "collect/cupti_check.hpp"
#include "collect/idle_watch.hpp"

namespace opgate::collect {
namespace {

constexpr CUpti_CallbackId kNewerIds = 256;  // as cupti_filter.cpp
// A drain takes as long as the call's own work. A device that is busy for longer may wait for the op's host side.
constexpr std::chrono::seconds kLongestDrain{1};

constexpr std::size_t kRuntimeIds = CUPTI_RUNTIME_TRACE_CBID_SIZE + kNewerIds;
constexpr std::size_t kDriverIds = CUPTI_DRIVER_TRACE_CBID_SIZE + kNewerIds;

std::int64_t now_ns() {
  std::uint64_t time_ns = 0;
  check_cupti(cuptiGetTimestamp(&time_ns), "cuptiGetTimestamp");
  return static_cast<std::int64_t>(time_ns);
}

// All that callbacks touch. Lives until the process ends: one may still run in a thread of the op when the subscription
// is over.
struct Shared {
  std::atomic<int> device{0};
  // On the device that is measured: the draining thread would make a context on another one.
  BoundedDrain drain{[this] {
    use_device(device.load());
    drain_devices();
  }};
  IdleWatch watch{[this] { return drain.wait(kLongestDrain); }, now_ns};
  std::array<ApiEffect, kRuntimeIds> runtime{};
  std::array<ApiEffect, kDriverIds> driver{};
  std::atomic<std::uint32_t> subscription{0};  // 0: none
  std::uint32_t subscriptions = 0;
};

Shared& shared() {
  static auto* const all = new Shared();
  return *all;
}

ApiEffect effect_of_call(CUpti_CallbackDomain domain, CUpti_CallbackId id) {
  const Shared& all = shared();
  if (domain == CUPTI_CB_DOMAIN_RUNTIME_API && id < kRuntimeIds) return all.runtime[id];
  if (domain == CUPTI_CB_DOMAIN_DRIVER_API && id < kDriverIds) return all.driver[id];
  return ApiEffect::none;
}

// Calls of this thread that are open. The runtime calls the driver, and may hold a lock while it does: only the
// outermost call counts. Of another subscription nothing is known any more, for it may have ended inside a call.
struct Nesting {
  std::uint32_t subscription = 0;
  int depth = 0;
};
thread_local Nesting nesting;

void CUPTIAPI on_call(void*, CUpti_CallbackDomain domain, CUpti_CallbackId id, const void* data) noexcept {
  const std::uint32_t subscription = shared().subscription.load();
  if (subscription == 0 || BoundedDrain::is_this_thread()) return;
  if (nesting.subscription != subscription) nesting = {subscription, 0};
  const ApiEffect effect = effect_of_call(domain, id);
  try {
    if (static_cast<const CUpti_CallbackData*>(data)->callbackSite == CUPTI_API_ENTER) {
      if (nesting.depth++ == 0) shared().watch.enter(effect);
    } else if (nesting.depth > 0 && --nesting.depth == 0) {
      shared().watch.leave(effect);
    }
  } catch (...) {
    // Without a clock or memory nothing is learned; the op's call goes on as it would.
  }
}

// False when a call that gives the device work would go unseen.
template <std::size_t size>
bool enable_calls(CUpti_SubscriberHandle subscriber, CUpti_CallbackDomain domain,
                  std::array<ApiEffect, size>& effects) {
  for (CUpti_CallbackId id = 1; id < size; ++id) {
    const char* name = nullptr;
    if (cuptiGetCallbackName(domain, id, &name) != CUPTI_SUCCESS || name == nullptr) continue;
    effects[id] = effect_of(name);
    if (effects[id] == ApiEffect::none) continue;
    const bool enabled = cuptiEnableCallback(1, subscriber, domain, id) == CUPTI_SUCCESS;
    if (!enabled && effects[id] != ApiEffect::waits) return false;
  }
  return true;
}

}  // namespace

CuptiIdle::CuptiIdle(int iterations) {
  Shared& all = shared();
  all.device.store(current_device());
  all.watch.begin(iterations);
  CUpti_SubscriberHandle subscriber = nullptr;
  if (cuptiSubscribe(&subscriber, on_call, nullptr) != CUPTI_SUCCESS) return;
  subscriber_ = subscriber;
  try {
    static_cast<void>(now_ns());
    if (!enable_calls(subscriber, CUPTI_CB_DOMAIN_RUNTIME_API, all.runtime) ||
        !enable_calls(subscriber, CUPTI_CB_DOMAIN_DRIVER_API, all.driver)) {
      unsubscribe();
      return;
    }
  } catch (...) {
    unsubscribe();
    throw;
  }
  all.drain.attend(true);
  static_cast<void>(all.drain.wait(kLongestDrain));  // the first CUDA call of a thread takes longer than others
  all.subscription.store(++all.subscriptions);
}

CuptiIdle::~CuptiIdle() {
  static_cast<void>(end());
}

void CuptiIdle::open(std::uint32_t iteration) {
  if (subscriber_ != nullptr) shared().watch.open(iteration);
}

void CuptiIdle::close() {
  if (subscriber_ != nullptr) shared().watch.close();
}

std::vector<std::optional<core::Drain>> CuptiIdle::end() noexcept {
  if (subscriber_ == nullptr) return {};
  unsubscribe();
  return shared().watch.end();
}

void CuptiIdle::unsubscribe() noexcept {
  shared().subscription.store(0);
  shared().drain.attend(false);
  try {
    static_cast<void>(cuptiUnsubscribe(static_cast<CUpti_SubscriberHandle>(std::exchange(subscriber_, nullptr))));
  } catch (...) {
    // A libcupti without it would have no cuptiSubscribe either.
  }
}

}  // namespace opgate::collect
