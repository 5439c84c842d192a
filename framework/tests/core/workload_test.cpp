#include <boost/test/unit_test.hpp>
#include <string>

#include "opgate/error.hpp"
#include "opgate/workload.hpp"

using namespace opgate;

BOOST_AUTO_TEST_SUITE(workload)

namespace {

auto spec_error(const std::string& part) {
  return [part](const Error& error) {
    return error.kind() == ErrorKind::spec && std::string(error.what()).find(part) != std::string::npos;
  };
}

Workload prefill() {
  return {.op = "rmsnorm",
          .name = "llama3-8b-prefill",
          .dtype = DType::bf16,
          .dimensions = {{"rows", 4096}},
          .params = {{"eps", 1e-6}}};
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_case_is_named_by_op_workload_and_dtype) {
  BOOST_TEST(prefill().case_name() == "rmsnorm.llama3-8b-prefill.bf16");
}

BOOST_AUTO_TEST_CASE(dimensions_and_params_are_looked_up_by_name) {
  BOOST_TEST(prefill().dim("rows") == 4096);
  BOOST_TEST(prefill().param("eps") == 1e-6);
  BOOST_CHECK_EXCEPTION((void)prefill().dim("cols"), Error, spec_error("rmsnorm.llama3-8b-prefill.bf16"));
  BOOST_CHECK_EXCEPTION((void)prefill().param("scale"), Error, spec_error("\"scale\""));
}

BOOST_AUTO_TEST_CASE(every_dtype_survives_its_text_and_has_a_size) {
  const std::vector<std::pair<DType, std::size_t>> sizes{{DType::f64, 8},  {DType::f32, 4},    {DType::f16, 2},
                                                         {DType::bf16, 2}, {DType::f8e4m3, 1}, {DType::i64, 8},
                                                         {DType::i32, 4},  {DType::i8, 1},     {DType::u8, 1}};
  for (const auto& [dtype, bytes] : sizes) {
    BOOST_TEST((parse_dtype(to_string(dtype)) == dtype));
    BOOST_TEST(size_of(dtype) == bytes);
  }
  BOOST_CHECK_EXCEPTION((void)parse_dtype("fp16"), Error, spec_error("bf16"));
}

BOOST_AUTO_TEST_CASE(tensors_know_their_size_and_are_found_by_name) {
  const Tensors tensors({{.name = "x", .dtype = DType::f16, .shape = {3, 5}, .data = nullptr},
                         {.name = "w", .dtype = DType::f32, .shape = {}, .data = nullptr}});
  BOOST_TEST(tensors["x"].elements() == 15);
  BOOST_TEST(tensors["x"].bytes() == 30U);
  BOOST_TEST(tensors["w"].elements() == 1);
  BOOST_TEST(tensors["x"].extent(1) == 5);
  BOOST_CHECK_EXCEPTION((void)tensors["x"].extent(2), Error, spec_error("\"x\""));
  BOOST_CHECK_EXCEPTION((void)tensors["y"], Error, spec_error("x, w"));
}

BOOST_AUTO_TEST_SUITE_END()
