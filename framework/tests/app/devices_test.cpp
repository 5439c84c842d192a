#include <boost/test/unit_test.hpp>

#include "app/desk.hpp"
#include "device/environment.hpp"
#include "run/gpu_choice.hpp"

using namespace opgate;
using namespace opgate::tests;
using test::Variable;

namespace {

// Two GPUs that the stand-in NVML offers, and a PCI bus without any.
struct Fixture : Desk {
  Variable library{"OPGATE_NVML_LIBRARY", OPGATE_FAKE_NVML};
  Variable devices{"FAKE_NVML_DEVICES", "2"};
  Variable bus{"OPGATE_PCI_DEVICES", at("pci").string()};
  Variable visible{"CUDA_VISIBLE_DEVICES"};
};

nlohmann::json gpus_of(const Said& said) {
  return nlohmann::json::parse(said.out).at("local").at(0).at("gpus");
}

}  // namespace

BOOST_FIXTURE_TEST_SUITE(devices, Fixture)

BOOST_AUTO_TEST_CASE(every_gpu_is_listed) {
  BOOST_TEST(bare({"devices"}).out.find("GPU-10000000-1111") != std::string::npos);
  const auto lines = bare({"devices", "--json"}).lines();
  BOOST_REQUIRE_EQUAL(lines.size(), 2U);
  BOOST_TEST(lines[1].at("index") == 1);
  BOOST_TEST(lines[1].at("uuid") == "GPU-10000000-1111-2222-3333-444444444444");
}

// https://cmake.org/cmake/help/latest/manual/ctest.1.html#resource-specification-file
BOOST_AUTO_TEST_CASE(a_resource_specification_gives_each_gpu_one_slot) {
  const Said said = bare({"devices", "--resource-spec"});
  BOOST_TEST(said.code == 0);
  const auto spec = nlohmann::json::parse(said.out);
  BOOST_TEST(spec.at("version").at("major") == 1);
  BOOST_TEST(spec.at("version").at("minor") == 0);
  const auto gpus = gpus_of(said);
  BOOST_REQUIRE_EQUAL(gpus.size(), 2U);
  for (const auto& gpu : gpus) {
    BOOST_TEST(gpu.at("slots") == 1);
    const std::string id = gpu.at("id");
    BOOST_TEST(id.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_") == std::string::npos, id);
  }
}

BOOST_AUTO_TEST_CASE(a_case_gets_the_gpu_that_ctest_was_given) {
  const auto gpus = gpus_of(bare({"devices", "--resource-spec"}));
  for (std::size_t i = 0; i < gpus.size(); ++i) {
    const Variable group("CTEST_RESOURCE_GROUP_0_GPUS", "id:" + gpus[i].at("id").get<std::string>() + ",slots:1");
    const auto choice = run::choose_gpu({});
    BOOST_TEST(choice.found());
    BOOST_TEST(choice.uuid == "GPU-" + std::to_string(i) + "0000000-1111-2222-3333-444444444444");
  }
  const Variable group("CTEST_RESOURCE_GROUP_0_GPUS", "id:gpu_7,slots:1");
  BOOST_TEST(run::choose_gpu({}).unusable.find("gpu_7") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(only_visible_gpus_are_shared_out) {
  {
    const Variable one("CUDA_VISIBLE_DEVICES", "1");
    const auto gpus = gpus_of(bare({"devices", "--resource-spec"}));
    BOOST_REQUIRE_EQUAL(gpus.size(), 1U);
    BOOST_TEST(gpus[0].at("id") == "gpu_10000000_1111_2222_3333_444444444444");
  }
  const Variable none("CUDA_VISIBLE_DEVICES", "-1");
  const Said said = bare({"devices", "--resource-spec"});
  BOOST_TEST(said.code == 3);
  BOOST_TEST(said.err.find("hides every GPU") != std::string::npos, said.err);
  BOOST_TEST(said.out.empty());
}

BOOST_AUTO_TEST_CASE(a_gpu_that_mig_splits_is_not_shared_out) {
  const Variable mig("FAKE_NVML_MIG", "1");
  const Said said = bare({"devices", "--resource-spec"});
  BOOST_TEST(said.code == 3);
  BOOST_TEST(said.err.find("MIG") != std::string::npos, said.err);
}

BOOST_AUTO_TEST_CASE(a_machine_without_a_gpu_says_so) {
  const Variable missing("OPGATE_NVML_LIBRARY", at("libnone.so").string());
  for (const char* const option : {"--json", "--resource-spec"}) {
    const Said said = bare({"devices", option});
    BOOST_TEST(said.code == 3);
    BOOST_TEST(said.out.empty());
    BOOST_TEST(said.err.find("no NVIDIA GPU on this machine") != std::string::npos, said.err);
  }
}

BOOST_AUTO_TEST_SUITE_END()
