#include <boost/test/unit_test.hpp>

#include "app/desk.hpp"
#include "collect/sample_trace.hpp"

using namespace opgate::tests;

namespace {

opgate::collect::Trace one_implementation() {
  opgate::collect::Trace trace = opgate::test::sample_trace(10);
  trace.implementations = {""};
  trace.calibrations_ns = {1e9};  // so dear that the counts are clamped to 10
  return trace;
}

std::string file_of(const Desk& desk, const opgate::collect::Trace& trace) {
  return desk.write("case.trace.jsonl", opgate::collect::format_trace(trace)).string();
}

}  // namespace

BOOST_AUTO_TEST_SUITE(replay)

BOOST_AUTO_TEST_CASE(it_prints_the_figures_of_the_trace) {
  const Desk desk;
  const std::string file = file_of(desk, one_implementation());
  const Said said = desk.bare({"replay", file, "--json"});
  BOOST_TEST_CONTEXT(said.err << said.out) BOOST_REQUIRE(said.code == 0);
  const auto line = said.lines().at(0);
  BOOST_TEST(line["case"] == "add.small.f32");
  const auto ours = line["attempt"]["implementations"][0];
  BOOST_TEST(ours["sample_values"]["busy_ns"][3] == 1503);
  BOOST_TEST(ours["sample_values"]["latency_ns"][3] == 5500);
  BOOST_TEST(ours["n_kernels"] == 2);
  const Said text = desk.bare({"replay", file});
  BOOST_TEST(text.out.find("NOT MEASURED") != std::string::npos);
  BOOST_TEST(text.out.find("(ours)") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(it_prints_the_error_of_the_trace_and_its_code) {
  const Desk desk;
  auto trace = one_implementation();
  for (auto& record : trace.phases.at(0).records.buffers.at(0)) {
    if (record.kind == opgate::core::RecordKind::external &&
        record.external_id == opgate::core::external_id(trace.phases[0].nonce, 1)) {
      record.external_kind = 1;  // somebody else's label
    }
  }
  const Said said = desk.bare({"replay", file_of(desk, trace), "--json"});
  BOOST_TEST(said.code == 2);
  BOOST_TEST(said.lines().at(0)["attempt"]["error"] == "off_thread_launch");
  BOOST_TEST(said.lines().at(0)["attempt"]["implementations"].size() == 0U);
}

BOOST_AUTO_TEST_CASE(a_bad_or_missing_trace_is_3) {
  const Desk desk;
  BOOST_TEST(desk.bare({"replay", desk.at("none").string()}).code == 3);
  const Said said = desk.bare({"replay", desk.write("bad.trace.jsonl", "{}\n").string()});
  BOOST_TEST(said.code == 3);
  BOOST_TEST(said.err.find("bad.trace.jsonl:1") != std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()
