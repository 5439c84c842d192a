#include <boost/test/unit_test.hpp>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "opgate/error.hpp"
#include "spec/spec.hpp"

using opgate::DType;
using opgate::Error;
using opgate::ErrorKind;
using opgate::spec::Case;
using opgate::spec::find_case;
using opgate::spec::Spec;

namespace {

Spec load(const std::string& stem) {
  return opgate::spec::load_spec(std::filesystem::path(OPGATE_TEST_DATA) / "specs" / "good" / (stem + ".json"));
}

using Shape = std::vector<std::int64_t>;

}  // namespace

BOOST_AUTO_TEST_SUITE(expand)

BOOST_AUTO_TEST_CASE(one_case_per_workload_and_dtype) {
  std::vector<std::string> names;
  for (const Case& item : opgate::spec::expand(load("plain"))) names.push_back(item.workload.case_name());
  const std::vector<std::string> expected = {"plain.decode-1.f16", "plain.decode-1.bf16", "plain.prefill.f16",
                                             "plain.prefill.bf16"};
  BOOST_TEST(names == expected, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(shapes_and_bytes) {
  const Case item = find_case(load("plain"), "plain.prefill.bf16");
  BOOST_REQUIRE(item.inputs.size() == 2U);
  BOOST_TEST(item.inputs[0].name == "x");
  BOOST_TEST((item.inputs[0].dtype == DType::bf16));
  BOOST_TEST(item.inputs[0].shape == (Shape{4096, 4096}), boost::test_tools::per_element());
  BOOST_TEST(item.inputs[0].data == nullptr);
  BOOST_TEST((item.inputs[1].dtype == DType::f32));
  BOOST_TEST(item.inputs[1].shape == Shape{4096}, boost::test_tools::per_element());
  BOOST_TEST(item.outputs.at(0).name == "y");
  BOOST_TEST(item.bytes_read == 4096.0 * 4096 * 2 + 4096 * 4);
  BOOST_TEST(item.bytes_written == 4096.0 * 4096 * 2);
  BOOST_TEST(!item.flops.has_value());
}

BOOST_AUTO_TEST_CASE(formulas_and_overrides) {
  const Spec spec = load("complete");
  const Case decode = find_case(spec, "complete.decode_1.f64");
  BOOST_TEST(decode.flops.value() == 4.0 * 4096);
  BOOST_TEST(decode.bytes_read == 4096.0 * 8 + 4096 * 4);
  BOOST_TEST(decode.bytes_written == 4096.0 * 8);
  BOOST_TEST(decode.inputs.at(0).shape == (Shape{1, 4096}), boost::test_tools::per_element());
  BOOST_TEST(decode.tolerance == 0.04);
  BOOST_TEST(decode.why == "two ticks");
  BOOST_TEST(decode.timeout_s == 30);
  BOOST_TEST(decode.iterations.value() == 50);  // the op's
  BOOST_TEST(decode.processes == 3);
  BOOST_TEST(decode.workload.params.at("eps") == 1e-6);
  const Case large = find_case(spec, "complete.70b.i8");
  BOOST_TEST(large.tolerance == 0.015);
  BOOST_TEST(large.timeout_s == 600);
  BOOST_TEST(large.iterations.value() == 20);
  BOOST_TEST(large.processes == 8);
  BOOST_TEST(large.workload.params.at("eps") == 1e-5);
  BOOST_TEST(large.workload.dimensions.at("cols") == 8192);
  BOOST_TEST(large.bytes_written == 2.0 * 8192);
}

BOOST_AUTO_TEST_CASE(fills_are_evaluated_and_replaced_by_workloads) {
  using opgate::core::Fill;
  using opgate::core::FillKind;
  const Spec spec = load("filled");
  const Case plain = find_case(spec, "filled.plain.bf16");
  BOOST_REQUIRE(plain.fills.size() == 4U);
  const auto fill_of = [](const Case& item, const std::string& input) {
    std::size_t at = 0;
    while (item.inputs.at(at).name != input) ++at;
    return item.fills.at(at);
  };
  BOOST_TEST((fill_of(plain, "x") == Fill{}));
  BOOST_TEST((fill_of(plain, "ids") == Fill{FillKind::below, 200}));
  BOOST_TEST((fill_of(plain, "ends") == Fill{FillKind::offsets, 8}));
  BOOST_TEST((fill_of(plain, "w") == Fill{FillKind::normal, 0}));
  const Case large = find_case(spec, "filled.large-logits.bf16");
  BOOST_TEST((fill_of(large, "x") == Fill{FillKind::large, 0}));
  BOOST_TEST((fill_of(large, "ids") == Fill{FillKind::below, 8}));
  BOOST_TEST((fill_of(large, "ends") == Fill{FillKind::offsets, 8}));
  BOOST_TEST((fill_of(large, "w") == Fill{}));
}

BOOST_AUTO_TEST_CASE(the_largest_dimension_is_exact) {
  const Case item = opgate::spec::expand(load("widest_dimension")).front();
  BOOST_TEST(item.outputs.at(0).shape.at(0) == INT64_MAX);
}

BOOST_AUTO_TEST_CASE(an_unknown_case_lists_near_names) {
  const Spec spec = load("plain");
  BOOST_CHECK_EXCEPTION(static_cast<void>(find_case(spec, "plain.prefil.bf16")), Error, [](const Error& error) {
    return error.kind() == ErrorKind::spec && error.summary() == "there is no case \"plain.prefil.bf16\"" &&
           error.remedy().starts_with("write plain.prefill.bf16");
  });
  BOOST_CHECK_EXCEPTION(static_cast<void>(find_case(spec, "x")), Error, [](const Error& error) {
    return error.remedy() == "name one of its 4 cases, such as plain.decode-1.f16";
  });
  BOOST_CHECK_THROW(static_cast<void>(find_case(spec, "plain.prefill.f32")), Error);
  BOOST_CHECK_THROW(static_cast<void>(find_case(spec, "")), Error);
}

BOOST_AUTO_TEST_SUITE_END()
