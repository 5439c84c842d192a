#include <cupti.h>

#include <boost/test/unit_test.hpp>
#include <string_view>

#include "answering_cupti.hpp"
#include "collect/api_effect.hpp"
#include "collect/api_filter.hpp"

BOOST_AUTO_TEST_SUITE(cupti_filter, *boost::unit_test::precondition(cupti_answers))

// Against the names of the loaded CUPTI: the ways to launch a kernel or a graph that this toolkit compiles to.
BOOST_AUTO_TEST_CASE(the_names_of_this_cupti_are_recognised) {
  int kept = 0;
  int named = 0;
  bool launch = false;
  bool graph = false;
  bool capture = false;
  for (CUpti_CallbackId id = 1; id < CUPTI_RUNTIME_TRACE_CBID_SIZE; ++id) {
    const char* name = nullptr;
    if (cuptiGetCallbackName(CUPTI_CB_DOMAIN_RUNTIME_API, id, &name) != CUPTI_SUCCESS || name == nullptr) continue;
    ++named;
    const bool keeps = opgate::collect::keeps_api(name);
    kept += keeps ? 1 : 0;
    launch = launch || (keeps && std::string_view(name).find("cudaLaunchKernel") != std::string_view::npos);
    graph = graph || (keeps && std::string_view(name).find("cudaGraphLaunch") != std::string_view::npos);
    capture = capture || (keeps && std::string_view(name).find("cudaStreamBeginCapture") != std::string_view::npos);
  }
  BOOST_TEST(capture);
  BOOST_TEST(launch);
  BOOST_TEST(graph);
  BOOST_TEST(kept > 0);
  BOOST_TEST(kept < named / 2);
}

// What is traced because it gives the device work must end an idle time as well.
BOOST_AUTO_TEST_CASE(what_this_cupti_keeps_traced_works_copies_or_captures) {
  using opgate::collect::ApiEffect;
  int waits = 0;
  for (const CUpti_CallbackDomain domain : {CUPTI_CB_DOMAIN_RUNTIME_API, CUPTI_CB_DOMAIN_DRIVER_API}) {
    const int ids =
        domain == CUPTI_CB_DOMAIN_RUNTIME_API ? int{CUPTI_RUNTIME_TRACE_CBID_SIZE} : int{CUPTI_DRIVER_TRACE_CBID_SIZE};
    for (int id = 1; id < ids; ++id) {
      const char* name = nullptr;
      const auto callback = static_cast<CUpti_CallbackId>(id);
      if (cuptiGetCallbackName(domain, callback, &name) != CUPTI_SUCCESS || name == nullptr) continue;
      const ApiEffect effect = opgate::collect::effect_of(name);
      waits += effect == ApiEffect::waits ? 1 : 0;
      const bool node = std::string_view(name).find("Graph") != std::string_view::npos && effect == ApiEffect::none;
      if (opgate::collect::keeps_api(name) && !node) BOOST_TEST((effect != ApiEffect::none), name);
    }
  }
  BOOST_TEST(waits > 20);
}

BOOST_AUTO_TEST_SUITE_END()
