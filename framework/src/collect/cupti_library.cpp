// The functions of CUPTI that opgate calls, each under its own name and handed on to the libcupti that is loaded at the
// first call. Linking libcupti would end every program that lacks it before its main, without a word of ours.
#include "collect/cupti_library.hpp"

#include <cupti.h>
#include <dlfcn.h>
#include <fmt/format.h>

#include <cstdlib>

#include "collect/cupti_search.hpp"
#include "opgate/error.hpp"

namespace opgate::collect {
namespace {

const LoadedLibrary& library() {
  // A failed try is made again at the next call, and fails as loudly.
  static const LoadedLibrary loaded = load_cupti(this_cupti_search());
  return loaded;
}

template <class Function>
Function* find(const char* name) {
  void* const symbol = ::dlsym(library().handle, name);
  if (symbol == nullptr) {
    throw Error(ErrorKind::cupti, fmt::format("{} has no {}", library().path, name), "CUPTI",
                "use the libcupti of the CUDA toolkit that opgate was built with");
  }
  return reinterpret_cast<Function*>(symbol);
}

}  // namespace

CuptiSearch this_cupti_search() {
  return cupti_search(OPGATE_CUPTI_NAME, OPGATE_CUPTI_FOLDER,
                      [](const char* variable) -> const char* { return std::getenv(variable); });
}

std::string cupti_path() {
  return library().path;
}

}  // namespace opgate::collect

// clang-tidy holds the names of the parameters against those in the headers of CUPTI.
#define OPGATE_HAND_ON(function, parameters, arguments)                                          \
  extern "C" CUptiResult CUPTIAPI function parameters {                                          \
    static auto* const real = opgate::collect::find<CUptiResult CUPTIAPI parameters>(#function); \
    return real arguments;                                                                       \
  }

OPGATE_HAND_ON(cuptiGetVersion, (uint32_t * version), (version))
OPGATE_HAND_ON(cuptiGetCallbackName, (CUpti_CallbackDomain domain, uint32_t id, const char** name), (domain, id, name))
OPGATE_HAND_ON(cuptiSetThreadIdType, (CUpti_ActivityThreadIdType type), (type))
OPGATE_HAND_ON(cuptiActivitySetAttribute, (CUpti_ActivityAttribute attribute, size_t* size, void* value),
               (attribute, size, value))
OPGATE_HAND_ON(cuptiActivityRegisterCallbacks,
               (CUpti_BuffersCallbackRequestFunc requested, CUpti_BuffersCallbackCompleteFunc completed),
               (requested, completed))
OPGATE_HAND_ON(cuptiActivityEnable, (CUpti_ActivityKind kind), (kind))
OPGATE_HAND_ON(cuptiActivityDisable, (CUpti_ActivityKind kind), (kind))
OPGATE_HAND_ON(cuptiActivityEnableRuntimeApi, (CUpti_CallbackId cbid, uint8_t enable), (cbid, enable))
OPGATE_HAND_ON(cuptiActivityEnableDriverApi, (CUpti_CallbackId cbid, uint8_t enable), (cbid, enable))
OPGATE_HAND_ON(cuptiActivityFlushAll, (uint32_t flags), (flags))
OPGATE_HAND_ON(cuptiActivityGetNumDroppedRecords, (CUcontext context, uint32_t stream, size_t* dropped),
               (context, stream, dropped))
OPGATE_HAND_ON(cuptiActivityGetNextRecord, (uint8_t * buffer, size_t valid, CUpti_Activity** record),
               (buffer, valid, record))
OPGATE_HAND_ON(cuptiActivityPushExternalCorrelationId, (CUpti_ExternalCorrelationKind kind, uint64_t id), (kind, id))
OPGATE_HAND_ON(cuptiActivityPopExternalCorrelationId, (CUpti_ExternalCorrelationKind kind, uint64_t* last),
               (kind, last))
OPGATE_HAND_ON(cuptiSubscribe, (CUpti_SubscriberHandle * subscriber, CUpti_CallbackFunc callback, void* data),
               (subscriber, callback, data))
OPGATE_HAND_ON(cuptiUnsubscribe, (CUpti_SubscriberHandle subscriber), (subscriber))
OPGATE_HAND_ON(cuptiEnableCallback,
               (uint32_t enable, CUpti_SubscriberHandle subscriber, CUpti_CallbackDomain domain, CUpti_CallbackId cbid),
               (enable, subscriber, domain, cbid))
OPGATE_HAND_ON(cuptiGetTimestamp, (uint64_t * time), (time))

// Asked while another error is explained, where none may be thrown.
extern "C" CUptiResult CUPTIAPI cuptiGetErrorMessage(CUptiResult result, const char** str) {
  try {
    return opgate::collect::find<CUptiResult CUPTIAPI(CUptiResult, const char**)>("cuptiGetErrorMessage")(result, str);
  } catch (const opgate::Error&) {
    return CUPTI_ERROR_NOT_INITIALIZED;
  }
}
