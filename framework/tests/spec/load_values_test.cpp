// What a loaded spec holds.
#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <string>
#include <vector>

#include "spec/spec.hpp"

using opgate::DType;
using opgate::spec::Spec;

namespace {

Spec complete() {
  return opgate::spec::load_spec(std::filesystem::path(OPGATE_TEST_DATA) / "specs" / "good" / "complete.json");
}

using Strings = std::vector<std::string>;

}  // namespace

BOOST_AUTO_TEST_SUITE(load_values)

BOOST_AUTO_TEST_CASE(the_op) {
  const Spec spec = complete();
  BOOST_TEST(spec.path.filename() == "complete.json");
  BOOST_TEST(spec.op == "complete");
  BOOST_TEST(spec.doc == "y = x scaled per column");
  BOOST_TEST(spec.dtypes.size() == 9U);
  BOOST_TEST((spec.dtypes.front() == DType::f64));
  BOOST_TEST((spec.dtypes.back() == DType::u8));
  BOOST_TEST(spec.flops.value() == "4*rows*cols");
  BOOST_TEST(spec.bytes_read.value() == "rows*cols*dtype_bytes + 4*cols");
  BOOST_TEST(spec.bytes_written.value() == "rows*cols*dtype_bytes");
  BOOST_TEST(spec.baselines == (Strings{"cudnn", "cub"}), boost::test_tools::per_element());
  BOOST_TEST(spec.compute_capability.value() == 90);
  BOOST_TEST(spec.memory_gib.value() == 0.5);
  BOOST_TEST(spec.count_copies);
  BOOST_TEST(spec.tolerance == 0.015);
  BOOST_TEST(spec.why == "the call is short");
  BOOST_TEST(spec.labels == (Strings{"nightly", "llm"}), boost::test_tools::per_element());
  BOOST_TEST(spec.timeout_s == 30);
  BOOST_TEST(spec.params.at("eps") == 1e-6);
  BOOST_TEST(spec.params.at("scale") == 2.0);
}

BOOST_AUTO_TEST_CASE(tensors) {
  const Spec spec = complete();
  BOOST_REQUIRE(spec.inputs.size() == 2U);
  BOOST_TEST(spec.inputs[0].name == "x");
  BOOST_TEST(!spec.inputs[0].dtype.has_value());
  BOOST_TEST(spec.inputs[0].shape == (Strings{"rows", "(cols + 1) / 1 - 1"}), boost::test_tools::per_element());
  BOOST_TEST(spec.inputs[1].name == "w");
  BOOST_TEST((spec.inputs[1].dtype == DType::f32));
  BOOST_TEST(spec.inputs[1].shape == Strings{"cols"}, boost::test_tools::per_element());
  BOOST_TEST(spec.outputs.at(0).name == "y");
}

BOOST_AUTO_TEST_CASE(workloads_override_the_op) {
  const Spec spec = complete();
  BOOST_REQUIRE(spec.workloads.size() == 3U);
  const auto& prefill = spec.workloads[0];
  BOOST_TEST(prefill.name == "llama3-8b-prefill");
  BOOST_TEST(prefill.line == 20);
  BOOST_TEST(prefill.dimensions.at("rows") == 4096);
  BOOST_TEST(prefill.labels == (Strings{"nightly", "llm", "gate"}), boost::test_tools::per_element());
  BOOST_TEST(!prefill.tolerance.has_value());
  BOOST_TEST(prefill.why == "the call is short");
  BOOST_TEST(prefill.params.at("eps") == 1e-6);
  BOOST_TEST(!prefill.timeout_s.has_value());
  BOOST_TEST(!prefill.iterations.has_value());
  BOOST_TEST(complete().iterations.value() == 50);
  BOOST_TEST(!prefill.processes.has_value());
  BOOST_TEST(complete().processes == 3);
  const auto& decode = spec.workloads[1];
  BOOST_TEST(decode.tolerance.value() == 0.04);
  BOOST_TEST(decode.why == "two ticks");
  BOOST_TEST(decode.labels == (Strings{"nightly", "llm", "smoke"}), boost::test_tools::per_element());
  const auto& large = spec.workloads[2];
  BOOST_TEST(large.params.at("eps") == 1e-5);
  BOOST_TEST(large.params.at("scale") == 2.0);
  BOOST_TEST(large.timeout_s.value() == 600);
  BOOST_TEST(large.iterations.value() == 20);
  BOOST_TEST(large.processes.value() == 8);
}

BOOST_AUTO_TEST_CASE(defaults) {
  const Spec spec = opgate::spec::parse_spec(
      "{\"op\": \"a\", \"inputs\": {}, \"outputs\": {\"y\": \"f32[n]\"}, \"dtypes\": [\"f32\"], \"workloads\": [\n"
      "{\"name\": \"one\", \"n\": 1}]}",
      "specs/a.json");
  BOOST_TEST(spec.tolerance == opgate::spec::kDefaultTolerance);
  BOOST_TEST(spec.timeout_s == 60);
  BOOST_TEST(!spec.count_copies);
  BOOST_TEST(!spec.flops.has_value());
  BOOST_TEST(!spec.bytes_read.has_value());
  BOOST_TEST(!spec.compute_capability.has_value());
  BOOST_TEST(!spec.memory_gib.has_value());
  BOOST_TEST(spec.labels.empty());
  BOOST_TEST(spec.workloads.at(0).line == 2);
}

BOOST_AUTO_TEST_SUITE_END()
