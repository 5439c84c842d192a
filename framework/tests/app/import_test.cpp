#include <boost/test/unit_test.hpp>

#include "app/desk.hpp"

using namespace opgate::tests;

BOOST_AUTO_TEST_SUITE(import)

BOOST_AUTO_TEST_CASE(run_numbers_are_kept_and_samples_are_lossless) {
  const Desk desk;
  desk.import(kHeader + "41,fork.w.f16,0,9000,9500,2,1980\n41,fork.w.f16,1,8000,8000,1,\n7,tiny,0,1952,1952,,1965\n");
  const auto lines = desk.run({"export"}).lines();
  BOOST_REQUIRE(lines.size() == 2U);
  BOOST_TEST(lines[0]["run"] == 7);
  BOOST_TEST(lines[1]["run"] == 41);
  BOOST_TEST(lines[1]["identity"]["op"] == "fork");
  BOOST_TEST(lines[1]["identity"]["workload"] == "w");
  BOOST_TEST(lines[1]["identity"]["dtype"] == "f16");
  const auto values = lines[1]["attempts"][0]["implementations"][0]["sample_values"];
  BOOST_TEST(values["busy_ns"] == (nlohmann::json{9000, 8000}));
  BOOST_TEST(values["latency_ns"] == (nlohmann::json{9500, 8000}));
  BOOST_TEST(values["n_kernels"] == (nlohmann::json{2, 1}));
  BOOST_TEST(values["sm_mhz"] == (nlohmann::json{1980, nullptr}));
  const auto unknown = lines[0]["attempts"][0]["implementations"][0]["sample_values"];
  BOOST_TEST(unknown["n_kernels"] == nlohmann::json::array({nullptr}));
}

BOOST_AUTO_TEST_CASE(nothing_is_imported_twice) {
  const Desk desk;
  const auto file = desk.write("in.csv", kHeader + steady_runs(1, 3, "tiny", 1700));
  BOOST_TEST(desk.run({"import", file.string()}).code == 0);
  const std::string before = desk.run({"export"}).out;
  const Said again = desk.run({"import", file.string(), "--json"});
  BOOST_TEST(again.code == 0);
  for (const auto& line : again.lines()) BOOST_TEST(line["already_imported"] == true);
  BOOST_TEST(desk.run({"export"}).out == before);
}

BOOST_AUTO_TEST_CASE(a_taken_number_is_never_overwritten) {
  const Desk desk;
  desk.import(kHeader + samples(5, "tiny", 1700));
  const auto file = desk.write("other.csv", kHeader + samples(5, "tiny", 1900) + samples(6, "tiny", 1950));
  const auto lines = desk.run({"import", file.string(), "--json"}).lines();
  BOOST_REQUIRE(lines.size() == 2U);
  BOOST_TEST(lines[0]["number_in_file"] == 6);
  BOOST_TEST(lines[0]["run"] == 6);  // a free number is kept although another run needs a new one
  BOOST_TEST(lines[1]["number_in_file"] == 5);
  BOOST_TEST(lines[1]["run"] == 7);
  const auto first = desk.run({"history", "tiny", "--json"}).lines().back();
  BOOST_TEST(first["run"] == 5);
  BOOST_TEST(first["median_ns"] == 1700.0);
}

BOOST_AUTO_TEST_CASE(an_import_that_was_cut_short_is_completed) {
  const Desk desk;
  const std::string csv = kHeader + samples(4, "tiny", 1700) + samples(4, "wide", 9000);
  desk.import(csv);
  const auto whole = desk.history().run(4);
  BOOST_REQUIRE(whole.has_value());
  const Desk other;
  {
    auto history = other.history();
    opgate::store::RunInfo cut = *whole;
    cut.closed_unix_ms.reset();
    const auto id = history.open_run(cut);
    opgate::store::CaseResult tiny = stored_result("tiny", 1700);
    history.put_results(id, {tiny});
  }
  const auto lines = other.run({"import", other.write("in.csv", csv).string(), "--json"}).lines();
  BOOST_TEST(lines.at(0)["results"] == 1);
  BOOST_TEST(other.history().results({}).size() == 2U);
  BOOST_TEST(other.history().run(4)->closed_unix_ms.has_value());
}

BOOST_AUTO_TEST_CASE(readings_of_zero_or_less_are_ignored) {
  const Desk desk;
  const Said said = desk.run(
      {"import",
       desk.write("in.csv", kHeader + samples(1, "tiny", 1700) + "1,tiny,90,0,0,1,1980\n1,none,0,-5,0,1,\n").string()});
  BOOST_TEST(said.code == 0);
  BOOST_TEST(said.out.find("2 readings of zero or less ignored") != std::string::npos);
  BOOST_TEST(desk.run({"history", "tiny", "--json"}).lines().at(0)["median_ns"] == 1700.0);
  const auto none = desk.run({"history", "none", "--json"}).lines().at(0);
  BOOST_TEST(none["verdict"] == "untrusted");
  BOOST_TEST(none["median_ns"].is_null());
}

BOOST_AUTO_TEST_CASE(a_bad_file_changes_nothing) {
  const Desk desk;
  desk.import(kHeader + samples(1, "tiny", 1700));
  const std::string before = desk.run({"export"}).out;
  const auto file = desk.write("bad.csv", kHeader + samples(2, "tiny", 1700) + "2,tiny,99,fast,1,1,1\n");
  const Said said = desk.run({"import", file.string()});
  BOOST_TEST(said.code == 3);
  BOOST_TEST(said.err.find("bad.csv:14: busy_ns is 'fast'") != std::string::npos);
  BOOST_TEST(desk.run({"export"}).out == before);
  BOOST_TEST(desk.run({"import", desk.at("absent.csv").string()}).code == 3);
}

BOOST_AUTO_TEST_SUITE_END()
