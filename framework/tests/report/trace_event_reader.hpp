#pragma once

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace opgate::report::test {

using nlohmann::json;

inline std::int64_t ns_of(const json& time) {
  return std::llround(time.get<double>() * 1000);
}

struct Slice {
  std::string name, category;
  std::int64_t start_ns = 0, end_ns = 0;
  json args;
};

// What a viewer makes of the text, by the rules of the Trace Event Format; every departure from them is a failure.
struct Loaded {
  explicit Loaded(const std::string& text) {
    const json file = json::parse(text);
    BOOST_REQUIRE(file.at("traceEvents").is_array());
    BOOST_TEST(file.at("displayTimeUnit") == "ns");
    facts = file.at("otherData");
    for (const json& event : file.at("traceEvents")) take(event);
    for (const auto& [row, slices] : rows) {
      BOOST_TEST(threads.count(row) == 1U, "a row without a name");
      BOOST_TEST(processes.count(row.first) == 1U, "a process without a name");
    }
    BOOST_TEST((begun == ended), "an arrow without its other end");
  }

  void take(const json& event) {
    const std::string phase = event.at("ph");
    const int process = event.at("pid");
    if (phase == "C") {
      BOOST_TEST(event.at("args").at("MHz").get<double>() > 0);
      ++clocks;
      return;
    }
    const std::pair<int, int> row{process, event.at("tid").get<int>()};
    if (phase == "M") {
      name(event, row);
    } else if (phase == "X") {
      BOOST_TEST(event.at("dur").get<double>() >= 0);
      BOOST_TEST(event.at("ts").get<double>() >= 0);
      const std::int64_t start = ns_of(event["ts"]);
      rows[row].push_back(
          {event.at("name"), event.at("cat"), start, start + ns_of(event["dur"]), event.value("args", json())});
    } else {
      BOOST_REQUIRE_MESSAGE(phase == "s" || phase == "f", phase);
      arrow(event, row, phase == "s");
    }
  }

  void name(const json& event, const std::pair<int, int>& row) {
    const std::string what = event.at("name");
    if (what == "process_name") {
      processes[row.first] = event.at("args").at("name");
    } else if (what == "thread_name") {
      BOOST_TEST(threads.emplace(row, event.at("args").at("name")).second, "a row with two names");
    } else {
      BOOST_TEST(event.at("args").at("sort_index").is_number_integer());
    }
  }

  // An end binds to the slice of its row that is open then.
  void arrow(const json& event, const std::pair<int, int>& row, bool begins) {
    const std::int64_t at = ns_of(event.at("ts"));
    const std::vector<Slice>& slices = rows[row];
    BOOST_TEST(std::any_of(slices.begin(), slices.end(),
                           [&](const Slice& slice) { return slice.start_ns <= at && at <= slice.end_ns; }));
    if (!begins) BOOST_TEST(event.at("bp") == "e");
    BOOST_TEST((begins ? begun : ended).insert(event.at("id").get<int>()).second);
  }

  [[nodiscard]] std::vector<Slice> of(const std::string& category) const {
    std::vector<Slice> found;
    for (const auto& [row, slices] : rows) {
      for (const Slice& slice : slices) {
        if (("," + slice.category + ",").find("," + category + ",") != std::string::npos) found.push_back(slice);
      }
    }
    std::sort(found.begin(), found.end(), [](const Slice& a, const Slice& b) { return a.start_ns < b.start_ns; });
    return found;
  }
  [[nodiscard]] std::set<std::string> row_names() const {
    std::set<std::string> names;
    for (const auto& [row, name] : threads) names.insert(name);
    return names;
  }

  json facts;
  std::map<std::pair<int, int>, std::vector<Slice>> rows;
  std::map<std::pair<int, int>, std::string> threads;
  std::map<int, std::string> processes;
  std::set<int> begun, ended;
  int clocks = 0;
};

// Rows are drawn as they are meant: one after the other, on threads of the host also one inside the other.
inline void check_rows(const Loaded& loaded) {
  for (const auto& [row, slices] : loaded.rows) {
    const bool nests = loaded.threads.at(row).rfind("thread ", 0) == 0;
    std::vector<std::int64_t> open;
    std::int64_t last_start = 0;
    for (const Slice& slice : slices) {
      BOOST_TEST(slice.start_ns >= last_start, "a row out of order");
      last_start = slice.start_ns;
      while (!open.empty() && open.back() <= slice.start_ns) open.pop_back();
      BOOST_TEST((open.empty() || (nests && slice.end_ns <= open.back())), loaded.threads.at(row)
                                                                               << ": " << slice.name);
      open.push_back(slice.end_ns);
    }
  }
}

}  // namespace opgate::report::test
