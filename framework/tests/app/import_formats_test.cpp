#include <boost/test/unit_test.hpp>
#include <functional>

#include "app/desk.hpp"
#include "exchange/gzip.hpp"
#include "text/file.hpp"

using namespace opgate::tests;

namespace {

std::string data(const std::string& name) {
  return opgate::text::read_file(std::string(OPGATE_TEST_DATA) + "/imports/" + name, opgate::ErrorKind::io);
}

nlohmann::json line_of(const std::vector<nlohmann::json>& lines, const std::string& name) {
  for (const auto& line : lines) {
    if (line["case"] == name) return line;
  }
  BOOST_FAIL("no case " << name);
  return {};
}

// One test case of 100 us and more, with its figure alone.
std::string night(double busy_us) {
  return "<testsuite hostname=\"h\" timestamp=\"2026-01-02T03:04:05Z\"><testcase classname=\"b\" name=\"sum\">"
         "<properties><property name=\"x_device_busy_us\" value=\"" +
         std::to_string(busy_us) +
         "\"/><property name=\"x_n_kernels\" value=\"1\"/></properties></testcase></testsuite>";
}

}  // namespace

BOOST_AUTO_TEST_SUITE(import_formats)

BOOST_AUTO_TEST_CASE(every_format_is_recognised_packed_or_not_and_imported_once) {
  const std::string csv = kHeader + samples(3, "tiny", 1700);
  for (const std::string& content : {csv, data("junit.xml"), data("google_benchmark.json"), data("nvbench.json")}) {
    const Desk desk;
    const auto packed = desk.write("anything.gz", gzip(content));
    const auto plain = desk.write("anything", content);
    Said said = desk.run({"import", packed.string()});
    BOOST_TEST(said.code == 0, said.err);
    const std::string before = desk.run({"export"}).out;
    BOOST_TEST(!before.empty());
    said = desk.run({"import", plain.string(), packed.string(), "--json"});
    BOOST_TEST(said.code == 0, said.err);
    for (const auto& line : said.lines()) BOOST_TEST(line["already_imported"] == true);
    BOOST_TEST(desk.run({"export"}).out == before);
  }
}

BOOST_AUTO_TEST_CASE(an_export_names_implementations_and_has_no_invented_sample) {
  const Desk desk;
  BOOST_TEST(desk.run({"import", desk.write("in.xml", data("junit.xml")).string()}).code == 0);
  const auto line = line_of(desk.run({"export"}).lines(), "bench.norm.test_norm[small-float16]");
  BOOST_TEST(line["outcome"] == "measured");
  BOOST_TEST(line["identity"]["bytes"] == 4194304.0);
  const auto implementations = line["attempts"][0]["implementations"];
  BOOST_TEST(implementations[0]["name"] == "mine");
  BOOST_TEST(implementations[0]["ours"] == true);
  BOOST_TEST(implementations[0]["busy_ns"] == 3712.5);
  BOOST_TEST(implementations[0]["p10_ns"] == 3648.0);
  BOOST_TEST(implementations[0]["samples"] == 0);
  BOOST_TEST(implementations[0]["sample_values"]["busy_ns"].empty());
  BOOST_TEST(implementations[0]["imported"]["summary"]["readings"] == 200);
  BOOST_TEST(implementations[0]["timing"] == "cupti");
  BOOST_TEST(implementations[0]["protocol"] == "unknown");
  BOOST_TEST(implementations[1]["name"] == "lib-ref");
  BOOST_TEST(implementations[1]["ours"] == false);
  BOOST_TEST(line_of(desk.run({"export"}).lines(), "bench.norm.test_norm[odd-float16]")["outcome"] == "skipped");
  BOOST_TEST(line_of(desk.run({"export"}).lines(), "bench.norm.test_norm[huge-float16]")["outcome"] == "failed");
}

BOOST_AUTO_TEST_CASE(people_see_figures_of_a_summary) {
  const Desk desk;
  BOOST_TEST(desk.run({"import", desk.write("in.xml", data("junit.xml")).string()}).code == 0);
  const std::string shown = desk.run({"show", "bench.norm.test_norm[small-float16]"}).out;
  BOOST_TEST(shown.find("figures of 200 readings, none of them kept") != std::string::npos, shown);
  BOOST_TEST(shown.find("protocol unknown, timing cupti, flush unknown, launch unknown") != std::string::npos, shown);
  BOOST_TEST(shown.find("library     lib-ref 7.500 us") != std::string::npos, shown);
}

BOOST_AUTO_TEST_CASE(samples_of_a_csv_say_nothing_of_how_they_were_taken) {
  const Desk desk;
  desk.import(kHeader + samples(1, "tiny", 1700));
  const auto implementation = desk.run({"export"}).lines().at(0)["attempts"][0]["implementations"][0];
  for (const char* what : {"protocol", "timing", "flush", "launch"}) BOOST_TEST(implementation[what] == "unknown");
  BOOST_TEST(implementation["samples"] == 12);
}

BOOST_AUTO_TEST_CASE(figures_are_judged_by_the_figures_of_other_nights) {
  const Desk desk;
  for (int i = 0; i < 5; ++i) {
    const std::string name = "night" + std::to_string(i) + ".xml";
    BOOST_TEST(desk.run({"import", desk.write(name, night(100 + 0.01 * i)).string()}).code == 0);
  }
  BOOST_TEST(desk.run({"baseline", "accept", "--last", "5", "--reason", "five nights"}).code == 0);
  BOOST_TEST(
      desk.run({"import", desk.write("same.xml", night(100.015)).string(), desk.write("slow.xml", night(110)).string()})
          .code == 0);
  const auto same = desk.run({"judge", "--run", "6", "--json"});
  BOOST_TEST(same.lines().at(0)["verdict"] == "pass");
  BOOST_TEST(same.lines().at(0)["measured_ns"] == 100'015.0);
  const auto slow = desk.run({"judge", "--run", "7", "--json"});
  BOOST_TEST(slow.lines().at(0)["verdict"] == "regressed");
  BOOST_TEST(slow.code == 1);
}

BOOST_AUTO_TEST_CASE(a_forced_format_is_taken_at_its_word) {
  const Desk desk;
  const auto csv = desk.write("in.csv", kHeader + samples(1, "tiny", 1700));
  Said said = desk.run({"import", csv.string(), "--format", "junit"});
  BOOST_TEST(said.code == 3);
  BOOST_TEST(said.err.find("in.csv:1:1: not valid XML") != std::string::npos, said.err);
  BOOST_TEST(desk.run({"import", csv.string(), "--format", "xlsx"}).code == 64);
  BOOST_TEST(desk.run({"import", csv.string(), "--ours", "x"}).code == 64);
  said = desk.run({"import", desk.write("notes.txt", "hello").string()});
  BOOST_TEST(said.code == 3);
  BOOST_TEST(said.err.find("the format is not recognised") != std::string::npos);
  BOOST_TEST(said.err.find("--format csv|google-benchmark|nvbench|junit|history") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(nothing_of_a_damaged_file_is_imported) {
  const Desk desk;
  desk.import(kHeader + samples(1, "tiny", 1700));
  const std::string before = desk.run({"export"}).out;
  for (const char* name : {"junit.xml", "google_benchmark.json", "nvbench.json"}) {
    const std::string whole = data(name);
    const std::string packed = gzip(whole);
    for (const std::string& cut : {whole.substr(0, whole.size() / 2), whole.substr(0, whole.size() - 4),
                                   packed.substr(0, packed.size() / 2), packed.substr(0, packed.size() - 3)}) {
      const Said said = desk.run({"import", desk.write("cut", cut).string()});
      BOOST_TEST(said.code == 3);
      BOOST_TEST(said.err.find("cut:") != std::string::npos, said.err);
      BOOST_TEST(said.err.find("fix: ") != std::string::npos, said.err);
    }
  }
  BOOST_TEST(desk.run({"export"}).out == before);
}

BOOST_AUTO_TEST_SUITE_END()
