#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <string>

#include "opgate/op.hpp"

namespace opgate {
namespace {

BOOST_AUTO_TEST_SUITE(missing_library)

// Linked with the source that conv2d is built from where CMake found no cuDNN.
BOOST_AUTO_TEST_CASE(an_op_built_without_its_library_says_so_instead_of_passing) {
  const auto& all = registrations();
  const auto found = std::find_if(all.begin(), all.end(), [](const Registration& one) {
    return one.op == "conv2d" && one.implementation == "cudnn";
  });
  BOOST_REQUIRE(found != all.end());
  Workload workload;
  workload.op = "conv2d";
  workload.name = "ragged";
  workload.dtype = DType::f16;
  const Tensors none;
  const Call call{.workload = workload, .in = none, .out = none, .stream = nullptr};
  const auto op = found->make(workload);
  const auto says_so = [](const Error& error) {
    return error.kind() == ErrorKind::op && error.summary().find("\"cudnn\" is missing") != std::string::npos &&
           error.where() == "conv2d.ragged.f16" && !error.remedy().empty();
  };
  BOOST_CHECK_EXCEPTION(op->set_up(call), Error, says_so);
  BOOST_CHECK_EXCEPTION(op->run(call), Error, says_so);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace opgate
