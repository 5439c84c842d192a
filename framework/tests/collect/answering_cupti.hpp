#pragma once

#include <cupti.h>
#include <dlfcn.h>

#include <boost/test/unit_test.hpp>

// From CUDA 13.3 on, libcupti answers every call by 999 where there is no libcuda.so.1, also what asks no device. A
// test of its names or records then has nothing to hold on to; CMakeLists.txt tells CTest by this text that it was
// skipped.
inline boost::test_tools::assertion_result cupti_answers(boost::unit_test::test_unit_id) {
  const char* name = nullptr;
  if (cuptiGetCallbackName(CUPTI_CB_DOMAIN_RUNTIME_API, 1, &name) == CUPTI_SUCCESS) return true;
  if (void* const driver = ::dlopen("libcuda.so.1", RTLD_LAZY); driver != nullptr) {
    ::dlclose(driver);
    return true;  // then its silence is a fault that the test must show
  }
  boost::test_tools::assertion_result no(false);
  no.message() << "this libcupti answers nothing without a driver";
  return no;
}
