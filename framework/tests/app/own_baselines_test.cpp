#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>

#include "spec/spec.hpp"
#include "store/baseline_file.hpp"

// The library of this project against the baselines beside it.
namespace fs = std::filesystem;
using namespace opgate;

namespace {

const fs::path kRoot = OPGATE_SOURCE_DIR;
constexpr const char* kDevice = "NVIDIA H200";

bool is_nightly(const spec::Case& spec_case) {
  return std::find(spec_case.labels.begin(), spec_case.labels.end(), "nightly") != spec_case.labels.end();
}

}  // namespace

BOOST_AUTO_TEST_SUITE(own_baselines)

// What changed without its baseline makes its case not comparable on every unit.
BOOST_AUTO_TEST_CASE(every_nightly_case_has_a_baseline_of_its_own_size_and_processes) {
  int cases = 0;
  for (const fs::directory_entry& file : fs::directory_iterator(kRoot / "specs")) {
    if (file.path().extension() != ".json" || file.path().stem() == "op.schema") continue;
    const spec::Spec op = spec::load_spec(file.path());
    const auto baselines = store::load_baselines_of(kRoot / "baselines", kDevice, op.op);
    for (const spec::Case& spec_case : spec::expand(op)) {
      if (!is_nightly(spec_case)) continue;
      ++cases;
      const std::string name = spec_case.workload.case_name();
      BOOST_TEST_CONTEXT(name) {
        BOOST_TEST_REQUIRE((baselines && baselines->cases.contains(name)));
        const core::CaseBaseline& baseline = baselines->cases.at(name).baseline;
        const auto& dimensions = spec_case.workload.dimensions;
        BOOST_TEST((baseline.identity.dimensions ==
                    std::map<std::string, std::int64_t>(dimensions.begin(), dimensions.end())));
        BOOST_TEST(baseline.conditions.processes == std::to_string(spec_case.processes));
        const auto& params = spec_case.workload.params;
        BOOST_TEST((baseline.identity.params == std::map<std::string, double>(params.begin(), params.end())));
        BOOST_TEST((baseline.identity.bytes_read == spec_case.bytes_read));
        BOOST_TEST((baseline.identity.bytes_written == spec_case.bytes_written));
        BOOST_TEST((baseline.identity.flops == spec_case.flops));
      }
    }
  }
  BOOST_TEST(cases >= 120);
}

BOOST_AUTO_TEST_SUITE_END()
