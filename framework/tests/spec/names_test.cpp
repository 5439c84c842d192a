#include "spec/names.hpp"

#include <boost/test/unit_test.hpp>
#include <string>

using namespace opgate::spec;

BOOST_AUTO_TEST_SUITE(names)

BOOST_AUTO_TEST_CASE(dtypes_by_name) {
  for (const char* name : {"f64", "f32", "f16", "bf16", "f8e4m3", "i64", "i32", "i8", "u8"}) {
    const auto dtype = find_dtype(name);
    BOOST_REQUIRE(dtype.has_value());
    BOOST_TEST(opgate::to_string(*dtype) == name);
    BOOST_TEST(known_dtypes().find(name) != std::string::npos);
  }
  BOOST_TEST(!find_dtype("F16").has_value());
  BOOST_TEST(!find_dtype("").has_value());
}

BOOST_AUTO_TEST_CASE(ops) {
  for (const char* good : {"a", "gemm", "rms_norm2", "x_"}) BOOST_TEST(!check_op_name(good).has_value(), good);
  for (const char* bad :
       {"", "Gemm", "2d", "_a", "a-b", "a.b", "a b", "moe_gate", "unit", "gpu_add", "smoke", "nightly_x"}) {
    BOOST_TEST(check_op_name(bad).has_value(), bad);
  }
  BOOST_TEST(!check_op_name(std::string(64, 'a')).has_value());
  BOOST_TEST(check_op_name(std::string(65, 'a')).has_value());
}

BOOST_AUTO_TEST_CASE(labels) {
  for (const char* good : {"nightly", "gate", "smoke", "llm", "sm-90", "long_ctx"}) {
    BOOST_TEST(!check_label(good).has_value(), good);
  }
  for (const char* bad :
       {"", "gpu", "unit", "nightly2", "moe-gate", "community", "smoke_test", "a;b", "a b", "Nightly", ".*"}) {
    BOOST_TEST(check_label(bad).has_value(), bad);
  }
}

BOOST_AUTO_TEST_CASE(workloads) {
  for (const char* good : {"llama3-8b-prefill", "decode-1", "70b", "a_b", "bf16x3", "if16", "f1-6"}) {
    BOOST_TEST(!check_workload_name(good).has_value(), good);
  }
  for (const char* bad : {"", "f16", "a-bf16", "bf16-a", "a-i8-b", "a_u8", "f8e4m3-x", "llama3.1", "-a", "_a", "A",
                          "a b", "a/b", "a;b", "a\n"}) {
    BOOST_TEST(check_workload_name(bad).has_value(), bad);
  }
}

BOOST_AUTO_TEST_CASE(identifiers) {
  for (const char* good : {"rows", "M", "head_dim", "dtypes"})
    BOOST_TEST(!check_identifier(good, "x").has_value(), good);
  for (const char* bad : {"", "1d", "_a", "a-b", "a.b", "dtype", "dtype_bytes"}) {
    BOOST_TEST(check_identifier(bad, "x").has_value(), bad);
  }
}

BOOST_AUTO_TEST_SUITE_END()
