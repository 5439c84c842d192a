#include <boost/test/unit_test.hpp>
#include <cstdlib>
#include <fstream>

#include "app/desk.hpp"

using namespace opgate::tests;

BOOST_AUTO_TEST_SUITE(fixture)

// The desk's project is built without CUDA.
BOOST_AUTO_TEST_CASE(a_machine_that_cannot_measure_skips_unless_a_gpu_is_required) {
  const Desk desk;
  BOOST_TEST(desk.bare({"fixture", "open"}).code == 77);
  BOOST_TEST(desk.bare({"fixture", "close"}).code == 77);
  ::setenv("OPGATE_REQUIRE_GPU", "1", 1);
  BOOST_TEST(desk.bare({"fixture", "open"}).code == 3);
  BOOST_TEST(desk.bare({"fixture", "close"}).code == 3);
  ::unsetenv("OPGATE_REQUIRE_GPU");
  BOOST_TEST(desk.bare({"fixture"}).code == 64);
}

BOOST_AUTO_TEST_CASE(replays_stay_in_the_projects_own_history) {
  const Desk desk;
  std::filesystem::create_directories(desk.at("traces"));
  ::setenv("OPGATE_REPLAY", desk.at("traces").c_str(), 1);
  ::setenv("OPGATE_HISTORY", desk.at("elsewhere.sqlite").c_str(), 1);
  const Said opened = desk.bare({"fixture", "open"});
  BOOST_TEST_CONTEXT(opened.err) BOOST_TEST(opened.code == 0);
  BOOST_TEST(std::filesystem::exists(desk.at("project.sqlite")));
  BOOST_TEST(!std::filesystem::exists(desk.at("elsewhere.sqlite")));
  BOOST_TEST(desk.bare({"fixture", "close"}).code == 0);
  ::unsetenv("OPGATE_REPLAY");
  ::unsetenv("OPGATE_HISTORY");
  const auto run = desk.bare({"runs", "--json"}).lines().at(0);
  BOOST_TEST(run["replayed"] == true);
  BOOST_TEST(!run["closed_unix_ms"].is_null());
}

BOOST_AUTO_TEST_CASE(replays_go_where_a_history_is_named_for_them) {
  const Desk desk;
  std::filesystem::create_directories(desk.at("traces"));
  ::setenv("OPGATE_REPLAY", desk.at("traces").c_str(), 1);
  ::setenv("OPGATE_REPLAY_HISTORY", desk.at("shard.sqlite").c_str(), 1);
  const Said opened = desk.bare({"fixture", "open"});
  BOOST_TEST_CONTEXT(opened.err) BOOST_TEST(opened.code == 0);
  BOOST_TEST(std::filesystem::exists(desk.at("shard.sqlite")));
  BOOST_TEST(!std::filesystem::exists(desk.at("project.sqlite")));
  BOOST_TEST(desk.bare({"fixture", "close"}).code == 0);
  ::unsetenv("OPGATE_REPLAY");
  ::unsetenv("OPGATE_REPLAY_HISTORY");
}

BOOST_AUTO_TEST_CASE(a_gpu_that_is_unfit_fails_the_run_with_the_reason) {
  const Desk desk;
  std::filesystem::create_directories(desk.at("locks"));
  nlohmann::json project = nlohmann::json::parse(std::ifstream(desk.at("project.json")));
  project["have_cuda"] = true;
  desk.write("project.json", project.dump());
  ::setenv("OPGATE_NVML_LIBRARY", OPGATE_FAKE_NVML, 1);
  ::setenv("CUDA_MPS_PIPE_DIRECTORY", desk.at("mps").c_str(), 1);
  ::setenv("OPGATE_PROC", desk.at("proc").c_str(), 1);
  ::unsetenv("CUDA_VISIBLE_DEVICES");
  const Said fit = desk.bare({"fixture", "open"});
  BOOST_TEST_CONTEXT(fit.err) BOOST_TEST(fit.code == 0);
  ::setenv("FAKE_NVML_MIG", "1", 1);
  const Said unfit = desk.bare({"fixture", "open"});
  BOOST_TEST(unfit.code == 3);
  BOOST_TEST(unfit.err.find("opgate.machine: gpu0.mig: on") != std::string::npos, unfit.err);
  BOOST_TEST(unfit.err.find("fix: ") != std::string::npos);
  for (const char* name : {"OPGATE_NVML_LIBRARY", "CUDA_MPS_PIPE_DIRECTORY", "OPGATE_PROC", "FAKE_NVML_MIG"}) {
    ::unsetenv(name);
  }
}

BOOST_AUTO_TEST_SUITE_END()
