// Ops that use CUPTI themselves, as a profiler inside a library would.
#include <cupti.h>

#include <cstdlib>
#include <fstream>
#include <string>

#include "selftest.hpp"

namespace selftest {
namespace {

constexpr std::size_t kBufferBytes = 65536;

void check(CUptiResult result, const char* what) {
  if (result != CUPTI_SUCCESS) {
    throw opgate::Error(opgate::ErrorKind::op, std::string(what) + " failed: " + std::to_string(result));
  }
}

void push(CUpti_ExternalCorrelationKind kind) {
  check(cuptiActivityPushExternalCorrelationId(kind, 4711), "cuptiActivityPushExternalCorrelationId");
}

void pop(CUpti_ExternalCorrelationKind kind) {
  std::uint64_t id = 0;
  check(cuptiActivityPopExternalCorrelationId(kind, &id), "cuptiActivityPopExternalCorrelationId");
}

void pushes_id() {
  push(CUPTI_EXTERNAL_CORRELATION_KIND_CUSTOM2);
}
// In calibration and warm-up there is nothing to pop.
void pops_id() {
  std::uint64_t id = 0;
  static_cast<void>(cuptiActivityPopExternalCorrelationId(CUPTI_EXTERNAL_CORRELATION_KIND_CUSTOM2, &id));
}

template <CUpti_ActivityKind kind>
void disables() {
  check(cuptiActivityDisable(kind), "cuptiActivityDisable");
}

void CUPTIAPI own_requested(std::uint8_t** buffer, std::size_t* size, std::size_t* most_records) {
  *buffer = static_cast<std::uint8_t*>(std::aligned_alloc(4096, kBufferBytes));
  *size = *buffer == nullptr ? 0 : kBufferBytes;
  *most_records = 0;
}
void CUPTIAPI own_completed(CUcontext, std::uint32_t, std::uint8_t* buffer, std::size_t, std::size_t) {
  std::free(buffer);
}
void own_callbacks() {
  check(cuptiActivityRegisterCallbacks(own_requested, own_completed), "cuptiActivityRegisterCallbacks");
}

// The call, and once it is checked also the misuse.
template <void (*misuse)()>
class Misuses final : public Form {
 public:
  void run(const opgate::Call& call, bool checked) override {
    scale_all(call, Kernel::scale, call.stream);
    if (checked) {
      misuse();
    }
  }
};

// Labels its work with CUSTOM0, properly, and leaves an id on CUSTOM1: both are the op's.
class OwnIds final : public Form {
 public:
  void run(const opgate::Call& call, bool) override {
    push(CUPTI_EXTERNAL_CORRELATION_KIND_CUSTOM1);
    push(CUPTI_EXTERNAL_CORRELATION_KIND_CUSTOM0);
    scale_all(call, Kernel::scale, call.stream);
    pop(CUPTI_EXTERNAL_CORRELATION_KIND_CUSTOM0);
  }
};

void CUPTIAPI own_subscriber(void*, CUpti_CallbackDomain, CUpti_CallbackId, const void*) {}

// Is the one subscriber of the process from its first measured call on, and frees a lot.
class Subscribes final : public Form {
 public:
  ~Subscribes() override {
    if (subscriber_ != nullptr) {
      cuptiUnsubscribe(subscriber_);
    }
  }
  void run(const opgate::Call& call, bool checked) override {
    if (checked && subscriber_ == nullptr) {
      check(cuptiSubscribe(&subscriber_, own_subscriber, nullptr), "cuptiSubscribe");
    }
    void* scratch = nullptr;
    OPGATE_CUDA(cudaMalloc(&scratch, std::size_t{512} << 20U));
    scale_all(call, Kernel::scale, call.stream);
    OPGATE_CUDA(cudaFree(scratch));
  }

 private:
  CUpti_SubscriberHandle subscriber_ = nullptr;
};

// Before main, and only in the worker, because the supervisor must not touch CUDA: somebody else's session that traced
// nothing.
bool open_and_close_a_session() {
  const char* const wanted = std::getenv("OPGATE_SELFTEST_EARLIER_SESSION");
  std::ifstream file("/proc/self/cmdline", std::ios::binary);
  const std::string words((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  if (wanted == nullptr || words.find("--worker-attempt") == std::string::npos) {
    return false;
  }
  own_callbacks();
  check(cuptiActivityEnable(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL), "cuptiActivityEnable");
  check(cuptiActivityDisable(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL), "cuptiActivityDisable");
  check(cuptiActivityFlushAll(CUPTI_ACTIVITY_FLAG_FLUSH_FORCED), "cuptiActivityFlushAll");
  return true;
}

const bool kEarlier = open_and_close_a_session();
const Registered kOwnIds{"own-ids", made<OwnIds>};
const Registered kPushes{"pushes-id", made<Misuses<pushes_id>>};
const Registered kPops{"pops-id", made<Misuses<pops_id>>};
const Registered kNoKernels{"disables-kernels", made<Misuses<disables<CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL>>>};
const Registered kNoRuntime{"disables-runtime", made<Misuses<disables<CUPTI_ACTIVITY_KIND_RUNTIME>>>};
const Registered kNoCopies{"disables-copies", made<Misuses<disables<CUPTI_ACTIVITY_KIND_MEMCPY>>>};
const Registered kSubscribes{"subscribes", made<Subscribes>};
const Registered kCallbacks{"own-callbacks", made<Misuses<own_callbacks>>};

}  // namespace
}  // namespace selftest
