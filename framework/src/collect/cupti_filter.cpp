#include "collect/cupti_filter.hpp"

#include <cupti.h>

#include <cstdint>

#include "collect/api_filter.hpp"

namespace opgate::collect {
namespace {

// A newer libcupti knows ids that this header does not; ids that nobody knows have no name and are passed over.
constexpr CUpti_CallbackId kNewerIds = 256;

template <class Enable>
void filter_domain(CUpti_CallbackDomain domain, CUpti_CallbackId known, const Enable& enable, std::uint8_t on) {
  for (CUpti_CallbackId id = 1; id < known + kNewerIds; ++id) {
    const char* name = nullptr;
    if (cuptiGetCallbackName(domain, id, &name) != CUPTI_SUCCESS || name == nullptr || keeps_api(name)) continue;
    // An API that stays on only adds records that attribution ignores, so a refusal here is no error.
    static_cast<void>(enable(id, on));
  }
}

void set_other_apis(std::uint8_t on) {
  filter_domain(CUPTI_CB_DOMAIN_RUNTIME_API, CUPTI_RUNTIME_TRACE_CBID_SIZE, cuptiActivityEnableRuntimeApi, on);
  filter_domain(CUPTI_CB_DOMAIN_DRIVER_API, CUPTI_DRIVER_TRACE_CBID_SIZE, cuptiActivityEnableDriverApi, on);
}

}  // namespace

void filter_apis() {
  set_other_apis(0);
}

void unfilter_apis() {
  set_other_apis(1);
}

}  // namespace opgate::collect
