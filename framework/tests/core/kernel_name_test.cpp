#include <boost/test/unit_test.hpp>

#include "core/kernel_name.hpp"

using namespace opgate::core;

BOOST_AUTO_TEST_SUITE(kernel_name)

BOOST_AUTO_TEST_CASE(mangled_names_become_readable) {
  BOOST_TEST(demangle("_Z10add_kernelPf") == "add_kernel(float*)");
}

BOOST_AUTO_TEST_CASE(other_names_stay) {
  BOOST_TEST(demangle("f") == "f");  // mangled, this would be the type float
  BOOST_TEST(demangle("sm90_xmma_gemm_bf16") == "sm90_xmma_gemm_bf16");
  BOOST_TEST(demangle("_Zbroken") == "_Zbroken");
  BOOST_TEST(demangle("") == "");
}

BOOST_AUTO_TEST_CASE(short_names_keep_the_identifier_alone) {
  BOOST_TEST(short_kernel_name("_Z10add_kernelPf") == "add_kernel");
  BOOST_TEST(short_kernel_name("_ZN12_GLOBAL__N_110add_kernelIfEEvPKT_S3_PS1_l") == "add_kernel");
  BOOST_TEST(short_kernel_name("sum") == "sum");
}

BOOST_AUTO_TEST_CASE(instance_names_keep_the_template_arguments) {
  BOOST_TEST(kernel_instance_name("_Z10add_kernelPf") == "add_kernel");
  BOOST_TEST(kernel_instance_name("_Z4tileILi256EEvPf") == "tile<256>");
  BOOST_TEST(kernel_instance_name("_ZN12_GLOBAL__N_110add_kernelIfEEvPKT_S3_PS1_l") == "add_kernel<float>");
  BOOST_TEST(kernel_instance_name("sum") == "sum");
  BOOST_TEST(kernel_instance_name("") == "");
}

BOOST_AUTO_TEST_SUITE_END()
