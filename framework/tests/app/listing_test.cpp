#include <boost/test/unit_test.hpp>

#include "app/desk.hpp"

using namespace opgate::tests;

BOOST_AUTO_TEST_SUITE(listing)

BOOST_AUTO_TEST_CASE(list_joins_specs_and_history) {
  const Desk desk;
  desk.import(kHeader + samples(1, "tiny", 1700));
  const auto lines = desk.run({"list", "--json"}).lines();
  BOOST_REQUIRE(lines.size() == 2U);
  BOOST_TEST(lines[0]["case"] == "add.small.f16");
  BOOST_TEST(lines[0]["declared"] == true);
  BOOST_TEST(lines[0]["recorded"] == false);
  BOOST_TEST(lines[0]["labels"] == nlohmann::json::array({"nightly"}));
  BOOST_TEST(lines[1]["case"] == "tiny");
  BOOST_TEST(lines[1]["declared"] == false);
  const Said text = desk.run({"list"});
  BOOST_TEST(text.out.find("no spec declares it") != std::string::npos);
  BOOST_TEST(text.out.find("2 cases") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(list_works_before_the_first_run) {
  const Desk desk;
  const Said said = desk.bare({"list"});
  BOOST_TEST(said.code == 0);
  BOOST_TEST(said.out.find("nothing recorded yet") != std::string::npos);
  BOOST_TEST(!std::filesystem::exists(desk.at("project.sqlite")));
  BOOST_TEST(desk.bare({"list", "--filter", "nosuch"}).code == 3);
}

BOOST_AUTO_TEST_CASE(runs_come_newest_first) {
  const Desk desk;
  desk.import(kHeader + samples(3, "tiny", 1700) + samples(9, "wide", 9000));
  const auto lines = desk.run({"runs", "--json"}).lines();
  BOOST_REQUIRE(lines.size() == 2U);
  BOOST_TEST(lines[0]["run"] == 9);
  BOOST_TEST(lines[1]["run"] == 3);
  BOOST_TEST(lines[1]["origin"] == "import");
  BOOST_TEST(desk.run({"runs", "--limit", "1", "--json"}).lines().size() == 1U);
  BOOST_TEST(desk.run({"runs", "--filter", "tiny", "--json"}).lines().at(0)["run"] == 3);
  BOOST_TEST(desk.run({"runs", "--filter", "nosuch"}).out.find("no run matching 'nosuch'") != std::string::npos);
  BOOST_TEST(desk.run({"runs"}).out.find("import in.csv") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(history_of_a_case) {
  const Desk desk;
  desk.import(kHeader + samples(1, "tiny", 1700) + samples(2, "tiny", 1800) + samples(3, "wide", 9000));
  const auto lines = desk.run({"history", "tiny", "--json"}).lines();
  BOOST_REQUIRE(lines.size() == 2U);
  BOOST_TEST(lines[0]["run"] == 2);
  BOOST_TEST(lines[0]["median_ns"] == 1800.0);
  BOOST_TEST(lines[0]["verdict"] == "measured");
  BOOST_TEST(desk.run({"history", "tiny", "--limit", "1", "--json"}).lines().size() == 1U);
  BOOST_TEST(desk.run({"history", "tiny"}).out.find("0.001700 ms") != std::string::npos);
  BOOST_TEST(desk.run({"history", "nosuch"}).code == 3);
}

BOOST_AUTO_TEST_CASE(show_gives_the_newest_result_or_that_of_a_run) {
  const Desk desk;
  desk.import(kHeader + samples(1, "tiny", 1700) + samples(2, "tiny", 1800));
  const auto newest = desk.run({"show", "tiny", "--json"}).lines().at(0);
  BOOST_TEST(newest["run"] == 2);
  BOOST_TEST(newest["attempts"][0]["implementations"][0]["busy_ns"] == 1800.0);
  BOOST_TEST(desk.run({"show", "tiny", "--run", "1", "--json"}).lines().at(0)["run"] == 1);
  const Said text = desk.run({"show", "tiny"});
  BOOST_TEST(text.code == 0);
  BOOST_TEST(text.out.find("run 2 of") != std::string::npos);
  BOOST_TEST(text.out.find("tiny") != std::string::npos);
  BOOST_TEST(text.out.find("reproduce") == std::string::npos, "an imported reading cannot be run again");
  const Said near = desk.run({"show", "tinny"});
  BOOST_TEST(near.code == 3);
  BOOST_TEST(near.err.find("did you mean tiny?") != std::string::npos);
  BOOST_TEST(desk.run({"show", "tiny", "--run", "7"}).code == 3);
}

BOOST_AUTO_TEST_CASE(show_says_how_to_run_a_case_again) {
  const Desk desk;
  auto history = desk.history();
  opgate::store::RunInfo run;
  run.origin = "hand";
  history.put_result(history.open_run(run), stored_result("add.small.f16", 5000));
  const Said said = desk.run({"show", "add.small.f16"});
  BOOST_TEST(said.out.find("ctest --test-dir ") != std::string::npos, said.out);
  BOOST_TEST(said.out.find(" -R '^add.small.f16$'") != std::string::npos, said.out);
}

BOOST_AUTO_TEST_CASE(show_names_other_processes_on_the_gpu_once) {
  const Desk desk;
  auto result = stored_result("add.small.f16", 5000);
  result.attempts.at(0).before.other_processes = {4711};
  result.attempts.at(0).after.other_processes = {4712, 4711};
  auto history = desk.history();
  history.put_result(history.open_run({}), result);
  const auto shown = desk.run({"show", "add.small.f16", "--json"}).lines().at(0);
  BOOST_TEST(shown["attempts"][0]["other_processes"] == nlohmann::json::array({4711, 4712}));
  BOOST_TEST(desk.run({"show", "add.small.f16"}).out.find("other GPU processes: 4711, 4712") != std::string::npos);
}

// A call of three launches, held, of which one iteration in three had another kernel set.
opgate::store::CaseResult queued_result() {
  auto result = stored_result("add.small.f16", 5000);
  auto& attempt = result.attempts[0];
  attempt.device.max_sm_mhz = 2000;
  auto& ours = attempt.implementations[0];
  ours.imported.reset();
  ours.measurement.launch = opgate::Launch::queued;
  ours.measurement.pacing = 1;
  ours.measurement.samples.resize(10);
  for (auto& sample : ours.measurement.samples) {
    sample.latency_ns += 700;
    sample.gap_ns = 700;
    sample.n_kernels = 3;
    sample.work_ns = sample.busy_ns + 40;
  }
  ours.iterations_asked = 10;
  ours.kernels = {{"_Z3addPKfPf", {132, 1, 1}, {256, 1, 1}, 40, 1024, 2048},
                  {"row_sum", {1, 2, 3}, {32, 1, 1}, 8, 0, 0}};
  ours.kernel_groups = {"2 x add + row_sum"};
  ours.launches = {{{{"_Z3addPKfPf", 2}, {"row_sum", 1}}, 0}};
  return result;
}

BOOST_AUTO_TEST_CASE(show_says_what_ran_and_how) {
  const Desk desk;
  {
    auto history = desk.history();
    history.put_result(history.open_run({}), queued_result());
  }
  std::string out = desk.run({"show", "add.small.f16"}).out;
  const std::string wrapped = "\n              ";
  for (std::size_t at = out.find(wrapped); at != std::string::npos; at = out.find(wrapped)) {
    out.erase(at, wrapped.size() - 1);
    out[at] = ' ';
  }
  for (const char* const part :
       {"What one call of this op launched: 2 x add + row_sum",
        "  2 x add(float const*, float*)\n      grid 132x1x1, block 256x1x1, 40 registers, 1 KiB + 2 KiB "
        "dynamic shared",
        "  row_sum\n      grid 1x2x3, block 32x1x1, 8 registers, 0 B shared", "launch queued, pacing 1,",
        "10 (10 asked for), so p10 and p90 are coarse", "of the held call", "kernels overlap: 5.04",
        "4.950 us at 2000 MHz", "trimmed mean 5.00"}) {
    BOOST_TEST(out.find(part) != std::string::npos, part << " is not in\n" << out);
  }
  const auto ours = desk.run({"show", "add.small.f16", "--json"}).lines().at(0)["attempts"][0]["implementations"][0];
  BOOST_TEST(ours["launch"] == "queued");
  BOOST_TEST(ours["pacing"] == "1");
  BOOST_TEST(ours["iterations_asked"] == 10);
  BOOST_TEST(ours["busy_trimmed_mean_ns"] == 5000.5);
  BOOST_TEST(ours["groups"][0]["busy_trimmed_mean_ns"] == 5000.5);
  BOOST_TEST(ours["queued_latency_ns"] == 5700.5);
  BOOST_TEST(ours["device_gap_ns"] == 700.0);
  BOOST_TEST(ours["latency_ns"].is_null());
  BOOST_TEST(ours["gap_ns"].is_null());
  BOOST_TEST(ours["sample_values"].contains("queued_latency_ns"));
  BOOST_TEST(!ours["sample_values"].contains("latency_ns"));
  BOOST_TEST(ours["kernels"][0]["demangled"] == "add(float const*, float*)");
  BOOST_TEST(ours["kernels"][0]["launches_per_call"] == 2);
  BOOST_TEST(ours["kernels"][0]["static_shared_bytes"] == 1024);
  BOOST_TEST(ours["kernels"][0]["dynamic_shared_bytes"] == 2048);
  BOOST_TEST(ours["launches"][0]["kernels"]["row_sum"] == 1);
}

BOOST_AUTO_TEST_CASE(no_line_of_a_table_ends_in_blanks) {
  const Desk desk;
  desk.import(kHeader + steady_runs(1, 5, "tiny", 1700));
  BOOST_TEST(desk.run({"baseline", "diff", "--last", "5"}).out.find(" \n") == std::string::npos);
}

BOOST_AUTO_TEST_CASE(export_is_ordered_by_run_and_case) {
  const Desk desk;
  desk.import(kHeader + samples(12, "b", 1700) + samples(12, "a", 1700) + samples(2, "b", 1700));
  const Said said = desk.run({"export"});
  const auto lines = said.lines();
  BOOST_REQUIRE(lines.size() == 3U);
  BOOST_TEST(lines[0]["run"] == 2);
  BOOST_TEST(lines[1]["case"] == "a");
  BOOST_TEST(lines[2]["case"] == "b");
  BOOST_TEST(said.out == desk.run({"export", "--json"}).out);
  BOOST_TEST(desk.run({"export", "--filter", "^a$"}).lines().size() == 1U);
  const auto bare = desk.run({"export", "--no-samples"}).lines().at(0);
  BOOST_TEST(!bare["attempts"][0]["implementations"][0].contains("sample_values"));
  BOOST_TEST(bare["attempts"][0]["implementations"][0]["samples"] == 12);
}

BOOST_AUTO_TEST_SUITE_END()
