#include <unistd.h>

#include <boost/test/unit_test.hpp>
#include <cstdlib>

#include "app/desk.hpp"

using namespace opgate::tests;

namespace {

// A machine without a GPU, whatever this one has.
class NoGpu {
 public:
  explicit NoGpu(const Desk& desk) {
    std::filesystem::create_directories(desk.at("pci"));
    ::setenv("OPGATE_PCI_DEVICES", desk.at("pci").c_str(), 1);
    ::setenv("OPGATE_NVML_LIBRARY", desk.at("no-such-library.so").c_str(), 1);
  }
  NoGpu(const NoGpu&) = delete;
  NoGpu& operator=(const NoGpu&) = delete;
  ~NoGpu() {
    ::unsetenv("OPGATE_PCI_DEVICES");
    ::unsetenv("OPGATE_NVML_LIBRARY");
  }
};

nlohmann::json check_of(const Said& said, const std::string& name) {
  for (const auto& line : said.lines()) {
    if (line["check"] == name) return line;
  }
  return nullptr;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(doctor)

BOOST_AUTO_TEST_CASE(a_machine_without_a_gpu_is_not_fit_and_says_what_to_do) {
  const Desk desk;
  const NoGpu no_gpu(desk);
  const Said said = desk.bare({"doctor", "--json"});
  BOOST_TEST(said.code == 3);
  BOOST_TEST(check_of(said, "pci")["state"] == "FAIL");
  BOOST_TEST(check_of(said, "nvml")["state"] == "FAIL");
  BOOST_TEST(!check_of(said, "pci")["remedy"].is_null());
  BOOST_TEST(check_of(said, "cupti")["state"] == "unknown");  // the project was built without CUDA
  BOOST_TEST(check_of(said, "history")["state"] == "ok");
  BOOST_TEST(check_of(said, "baselines")["state"] == "ok");
  const Said text = desk.bare({"doctor"});
  BOOST_TEST(text.out.find("FAIL    pci: no NVIDIA device is on the PCI bus\n          fix: ") != std::string::npos);
  BOOST_TEST(text.out.find("not fit to measure") != std::string::npos);
  BOOST_TEST(!std::filesystem::exists(desk.at("project.sqlite")));  // looking is not making
}

BOOST_AUTO_TEST_CASE(bad_history_and_baselines_are_named) {
  const Desk desk;
  const NoGpu no_gpu(desk);
  desk.write("h.sqlite", "no database");
  std::filesystem::create_directories(desk.at("b/unknown"));
  desk.write("b/unknown/add.json", "[]");
  const Said said = desk.run({"doctor", "--json"});
  BOOST_TEST(said.code == 3);
  BOOST_TEST(check_of(said, "history")["state"] == "FAIL");
  BOOST_TEST(check_of(said, "baselines")["state"] == "FAIL");
  BOOST_TEST(check_of(said, "baselines")["detail"].get<std::string>().find("add.json") != std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()
