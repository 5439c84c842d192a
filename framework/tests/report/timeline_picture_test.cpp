#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <filesystem>
#include <map>
#include <pugixml.hpp>
#include <string>
#include <vector>

#include "report/samples.hpp"
#include "report/timeline.hpp"

namespace opgate::report::test {
namespace {

namespace fs = std::filesystem;

constexpr double kLeft = 190;
constexpr double kRight = 1190;

pugi::xml_document parsed(const std::string& text) {
  pugi::xml_document document;
  const pugi::xml_parse_result result = document.load_string(text.c_str());
  BOOST_TEST_REQUIRE(bool(result), result.description());
  return document;
}

std::map<std::string, std::vector<pugi::xml_node>> bars(const pugi::xml_document& picture) {
  std::map<std::string, std::vector<pugi::xml_node>> by_title;
  for (const pugi::xml_node& bar : picture.child("svg").children("rect")) {
    if (bar.child("title")) by_title[bar.child("title").text().get()].push_back(bar);
  }
  return by_title;
}

Timeline two_streams() {
  const fs::path path = fs::path(OPGATE_TEST_DATA) / "traces/forms/selftest.two-streams.f32.trace.jsonl";
  TimelineRequest request{.phase = 2};
  request.iteration = 0;
  return timeline_of(collect::read_trace(path), request);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(timeline_picture)

BOOST_AUTO_TEST_CASE(the_picture_of_two_streams) {
  const std::string text = report::timeline_picture(two_streams());
  check_golden("timeline_two_streams.svg", text);
  const pugi::xml_document picture = parsed(text);
  const auto by_title = bars(picture);
  BOOST_TEST(by_title.at("call 0: 13.056 us").size() == 1U);
  BOOST_TEST(by_title.at("hold: 9.376 us").size() == 1U);
  BOOST_TEST(by_title.at("flush: 33.440 us").size() == 1U);
}

BOOST_AUTO_TEST_CASE(every_event_is_a_bar_inside_the_picture_and_as_long_as_it_took) {
  const Timeline timeline = two_streams();
  std::size_t events = 0;
  double span_ns = 0;
  for (const TimelineTrack& track : timeline.tracks) {
    events += track.events.size();
    for (const TimelineEvent& event : track.events) {
      span_ns = std::max(span_ns, static_cast<double>(event.interval.end_ns - timeline.origin_ns));
    }
  }
  const pugi::xml_document picture = parsed(report::timeline_picture(timeline));
  std::size_t drawn = 0;
  for (const auto& [title, nodes] : bars(picture)) {
    drawn += nodes.size();
    for (const pugi::xml_node& bar : nodes) {
      const double x = bar.attribute("x").as_double();
      const double width = bar.attribute("width").as_double();
      BOOST_TEST(x >= kLeft);
      BOOST_TEST(x + width <= kRight + 0.7);
      const double us = std::stod(title.substr(title.rfind(": ") + 2));
      BOOST_TEST(std::abs(width / (kRight - kLeft) * span_ns / 1000 - us) < 0.1);
    }
  }
  BOOST_TEST(drawn == events);
}

BOOST_AUTO_TEST_CASE(what_a_bar_is_too_short_for_stands_beside_it_where_nothing_else_is) {
  Timeline timeline;
  timeline.tracks = {{.process = 1, .name = "room", .events = {{"free", "gap", {0, 1'000}, {}, 0}}},
                     {.process = 1,
                      .name = "none",
                      .events = {{"tight", "gap", {0, 1'000}, {}, 0}, {"b", "gap", {2'000, 9'000}, {}, 0}}},
                     {.process = 1,
                      .name = "nested",
                      .nests = true,
                      .events = {{"around", "call", {0, 900'000}, {}, 0}, {"inner", "gap", {1'000, 2'000}, {}, 0}}},
                     {.process = 1, .name = "end", .events = {{"last", "gap", {999'000, 1'000'000}, {}, 0}}}};
  const pugi::xml_document picture = parsed(report::timeline_picture(timeline));
  std::map<std::string, double> words;
  for (const pugi::xml_node& text : picture.child("svg").children("text")) {
    if (text.attribute("class").value() == std::string("e")) words[text.text().get()] = text.attribute("x").as_double();
  }
  BOOST_TEST_REQUIRE(words.count("free: 1.000 us") == 1U);
  BOOST_TEST(words.at("free: 1.000 us") > kLeft + (kRight - kLeft) / 1000);
  BOOST_TEST(words.count("around: 900.000 us") == 1U);
  for (const char* hidden : {"tight: 1.000 us", "inner: 1.000 us", "last: 1.000 us"}) {
    BOOST_TEST(words.count(hidden) == 0U, hidden);
  }
}

BOOST_AUTO_TEST_CASE(names_are_text_whatever_they_hold) {
  const std::string hostile = "<script>alert(1)</script>\"&\x01\xff]]>";
  Timeline timeline;
  timeline.processes[1] = hostile;
  timeline.facts = {{"case", hostile}, {"phase", hostile}, {"device", hostile}};
  timeline.tracks = {{.process = 1, .name = hostile, .events = {{hostile, hostile, {0, 1'000'000}, {}, 0}}}};
  const std::string text = report::timeline_picture(timeline);
  const pugi::xml_document picture = parsed(text);
  BOOST_TEST(text.find("<script") == std::string::npos);
  BOOST_TEST(text.find('\x01') == std::string::npos);
  BOOST_TEST(bars(picture).count("<script>alert(1)</script>\"&??]]>: 1000.000 us") == 1U);
}

BOOST_AUTO_TEST_CASE(nothing_to_draw_and_nothing_that_lasts_are_pictures) {
  static_cast<void>(parsed(report::timeline_picture({})));
  Timeline timeline;
  timeline.tracks = {{.process = 1, .name = "row", .events = {{"instant", "gap", {0, 0}, {}, 0}}}};
  BOOST_TEST(bars(parsed(report::timeline_picture(timeline))).at("instant: 0.000 us").size() == 1U);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace opgate::report::test
