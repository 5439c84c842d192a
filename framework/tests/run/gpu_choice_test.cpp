#include "run/gpu_choice.hpp"

#include <boost/test/unit_test.hpp>
#include <fstream>

#include "device/environment.hpp"

using namespace opgate;
using test::Variable;

namespace {

std::string uuid(int index) {
  return "GPU-" + std::to_string(index) + "0000000-1111-2222-3333-444444444444";
}

// Two GPUs that the stand-in NVML offers, and a PCI bus without any.
struct Machine : test::Folder {
  Variable library{"OPGATE_NVML_LIBRARY", OPGATE_FAKE_NVML};
  Variable devices{"FAKE_NVML_DEVICES", "2"};
  Variable bus{"OPGATE_PCI_DEVICES", path.string()};
  Variable visible{"CUDA_VISIBLE_DEVICES"};
  Variable assigned{"CTEST_RESOURCE_GROUP_0_GPUS"};

  void plug_in() const {
    std::filesystem::create_directory(path / "0000:1a:00.0");
    std::ofstream(path / "0000:1a:00.0" / "vendor") << "0x10de\n";
    std::ofstream(path / "0000:1a:00.0" / "class") << "0x030200\n";
  }
};

const run::Environment kPlain;

bool holds(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

BOOST_FIXTURE_TEST_SUITE(gpu_choice, Machine)

BOOST_AUTO_TEST_CASE(the_first_gpu_is_taken_and_locked_by_its_uuid) {
  const auto gpu = run::choose_gpu(kPlain);
  BOOST_TEST(gpu.found());
  BOOST_TEST(gpu.uuid == uuid(0));
  BOOST_TEST(gpu.lock_key == uuid(0));
}

BOOST_AUTO_TEST_CASE(the_first_visible_one_by_index_or_by_uuid) {
  {
    const Variable index("CUDA_VISIBLE_DEVICES", "1,0");
    BOOST_TEST(run::choose_gpu(kPlain).uuid == uuid(1));
  }
  {
    const Variable name("CUDA_VISIBLE_DEVICES", uuid(1));
    BOOST_TEST(run::choose_gpu(kPlain).uuid == uuid(1));
  }
  const Variable shortened("CUDA_VISIBLE_DEVICES", "GPU-1");
  BOOST_TEST(run::choose_gpu(kPlain).uuid == uuid(1));
}

BOOST_AUTO_TEST_CASE(ctest_s_assignment_goes_first) {
  const Variable visible_first("CUDA_VISIBLE_DEVICES", "0");
  const Variable group("CTEST_RESOURCE_GROUP_0_GPUS", "id:1,slots:1");
  BOOST_TEST(run::choose_gpu(kPlain).uuid == uuid(1));
}

BOOST_AUTO_TEST_CASE(with_resource_groups_a_case_without_an_assignment_refuses) {
  run::Environment groups;
  groups.resource_groups = true;
  const auto gpu = run::choose_gpu(groups);
  BOOST_TEST(!gpu.found());
  BOOST_TEST(gpu.absent.empty());
  BOOST_TEST(holds(gpu.unusable, "--resource-spec-file"));
  const Variable group("CTEST_RESOURCE_GROUP_0_GPUS", "id:0,slots:1");
  BOOST_TEST(run::choose_gpu(groups).found());
}

BOOST_AUTO_TEST_CASE(a_gpu_that_is_not_there_is_refused_and_not_replaced_by_another) {
  for (const char* const wanted : {"7", "GPU-9", "nonsense"}) {
    const Variable missing("CUDA_VISIBLE_DEVICES", wanted);
    const auto gpu = run::choose_gpu(kPlain);
    BOOST_TEST(gpu.absent.empty());
    BOOST_TEST(holds(gpu.unusable, wanted));
    BOOST_TEST(gpu.uuid.empty());
  }
}

BOOST_AUTO_TEST_CASE(hidden_gpus_are_a_reason_to_skip) {
  for (const char* const hidden : {"", "-1", "NoDevFiles"}) {
    const Variable hide("CUDA_VISIBLE_DEVICES", hidden);
    const auto gpu = run::choose_gpu(kPlain);
    BOOST_TEST(gpu.unusable.empty());
    BOOST_TEST(holds(gpu.absent, "CUDA_VISIBLE_DEVICES"));
  }
}

BOOST_AUTO_TEST_CASE(without_any_gpu_there_is_a_reason_to_skip) {
  const Variable no_library("OPGATE_NVML_LIBRARY", (path / "libnone.so").string());
  const auto gpu = run::choose_gpu(kPlain);
  BOOST_TEST(gpu.absent == "no NVIDIA GPU on this machine");
  BOOST_TEST(gpu.unusable.empty());
}

BOOST_AUTO_TEST_CASE(one_on_the_bus_that_the_driver_does_not_offer_is_no_reason_to_skip) {
  plug_in();
  {
    const Variable no_library("OPGATE_NVML_LIBRARY", (path / "libnone.so").string());
    const auto gpu = run::choose_gpu(kPlain);
    BOOST_TEST(gpu.absent.empty());
    BOOST_TEST(holds(gpu.unusable, "on the PCI bus"));
    BOOST_TEST(holds(gpu.unusable, "libnone.so"));
  }
  const Variable none("FAKE_NVML_DEVICES", "0");
  BOOST_TEST(run::choose_gpu(kPlain).absent.empty());
  BOOST_TEST(holds(run::choose_gpu(kPlain).unusable, "on the PCI bus"));
}

BOOST_AUTO_TEST_SUITE_END()
