#include <boost/test/unit_test.hpp>

// Not by BOOST_TEST_MODULE: the header may have been read before this file, precompiled.
int main(int argc, char* argv[]) {
  const auto name_it = [] {
    boost::unit_test::framework::master_test_suite().p_name.value = "opgate";
    return true;
  };
  return boost::unit_test::unit_test_main(name_it, argc, argv);
}
