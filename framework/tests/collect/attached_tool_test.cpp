#include "collect/attached_tool.hpp"

#include <boost/test/unit_test.hpp>
#include <map>

#include "collect/api_filter.hpp"

using opgate::collect::keeps_api;

namespace {

auto in(const std::map<std::string, std::string>& variables) {
  return opgate::collect::attached_tool([&variables](const char* name) -> const char* {
    const auto found = variables.find(name);
    return found == variables.end() ? nullptr : found->second.c_str();
  });
}

}  // namespace

BOOST_AUTO_TEST_SUITE(attached_tool)

BOOST_AUTO_TEST_CASE(nothing_is_attached_in_a_plain_environment) {
  BOOST_TEST(!in({}));
  BOOST_TEST(!in({{"CUDA_INJECTION64_PATH", ""}, {"LD_PRELOAD", "/usr/lib/libjemalloc.so"}}));
}

BOOST_AUTO_TEST_CASE(profilers_are_sent_to_profile) {
  for (const char* variable : {"CUDA_INJECTION64_PATH", "NVTX_INJECTION64_PATH", "NSYS_PROFILING_SESSION_ID"}) {
    const auto tool = in({{variable, "/opt/nsys/libToolsInjection64.so"}});
    BOOST_REQUIRE(tool);
    BOOST_TEST(tool->remedy.find("--profile") != std::string::npos);
    BOOST_TEST(tool->evidence.find(variable) != std::string::npos);
  }
}

BOOST_AUTO_TEST_CASE(sanitizers_are_sent_to_check) {
  const auto by_injection = in({{"CUDA_INJECTION64_PATH", "/opt/compute-sanitizer/libInjectionSanitizer.so"}});
  BOOST_REQUIRE(by_injection);
  BOOST_TEST(by_injection->name == "compute-sanitizer");
  BOOST_TEST(by_injection->remedy.find("--check") != std::string::npos);
  const auto by_port = in({{"NV_SANITIZER_INJECTION_PORT_BASE", "49152"}});
  BOOST_REQUIRE(by_port);
  BOOST_TEST(by_port->name == "compute-sanitizer");
}

BOOST_AUTO_TEST_CASE(apis_that_put_work_on_the_device_stay_traced) {
  for (const char* name : {"cudaLaunchKernel_v7000", "__cudaLaunchKernel_v13000", "cuLaunchKernelEx", "cuGraphLaunch",
                           "cudaMemcpyAsync_v3020", "cuMemsetD32Async"}) {
    BOOST_TEST(keeps_api(name), name);
  }
  for (const char* name : {"cudaDeviceSynchronize_v3020", "cuStreamWaitValue32", "cudaMalloc_v3020", "cuMemSetAccess",
                           "cudaEventRecord_v3020"}) {
    BOOST_TEST(!keeps_api(name), name);
  }
}

BOOST_AUTO_TEST_SUITE_END()
