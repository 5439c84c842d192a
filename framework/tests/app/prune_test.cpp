#include <boost/test/unit_test.hpp>

#include <chrono>
#include <filesystem>

#include "app/desk.hpp"
#include "collect/trace.hpp"
#include "run/kept_records.hpp"
#include "run/prune_records.hpp"
#include "run/wall_clock.hpp"

using namespace opgate;
using namespace opgate::tests;
namespace fs = std::filesystem;

namespace {

struct Fixture : Desk {
  Fixture() {
    import(kHeader + steady_runs(1, 9, "tiny", 20'000));
    std::filesystem::create_directories(at("b"));
  }
  [[nodiscard]] Said json(std::vector<std::string> words) const {
    words.insert(words.begin(), "prune");
    words.push_back("--json");
    return run(words);
  }
};

bool holds(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

constexpr std::int64_t kSecondRunMs = 2'000'000;

// Two old runs of two cases: one failed in the first run, the other in the second, and each left its timeline.
struct Failed : Desk {
  Failed() {
    fs::create_directories(at("b"));
    auto history = store::History::open_for_writing(at("h.sqlite"));
    put_run(history, 1'000'000);
    put_run(history, kSecondRunMs);
    leave("add.first.f32", 1'000'250);
    leave("add.second.f32", kSecondRunMs + 250);
  }
  static void put_run(store::History& history, std::int64_t started_ms) {
    store::RunInfo opened;
    opened.started_unix_ms = started_ms;
    const std::int64_t run_id = history.open_run(opened);
    for (const char* const name : {"add.first.f32", "add.second.f32"}) {
      store::CaseResult result = stored_result(name, 20'000);
      result.attempts[0].started_unix_ms = started_ms;
      result.attempts[0].wall_ns = 500'000'000;
      result.exit_code = core::ExitCode::no_baseline;
      history.put_result(run_id, result);
    }
    history.close_run(run_id, started_ms + 1'000);
  }
  void leave(const std::string& name, std::int64_t recorded_ms) const {
    collect::Trace trace =
        collect::read_trace(fs::path(OPGATE_TEST_DATA) / "traces" / "forms" / "selftest.three-kernels.f32.trace.jsonl");
    trace.recorded_unix_ms = recorded_ms;
    store::CaseResult result;
    result.identity.name = name;
    result.attempts.resize(1);
    static_cast<void>(run::keep_records(at("h.sqlite"), result, collect::format_trace(trace)));
    age(name);
  }
  [[nodiscard]] run::KeptRecords files(const std::string& name) const {
    return run::kept_records(at("h.sqlite"), name);
  }
  void age(const std::string& name) const {  // as a file of two days ago
    for (const fs::path& path : {files(name).trace, files(name).timeline}) {
      if (fs::exists(path)) fs::last_write_time(path, fs::file_time_type::clock::now() - std::chrono::hours(48));
    }
  }
  [[nodiscard]] bool has(const std::string& name) const {
    BOOST_TEST(fs::exists(files(name).trace) == fs::exists(files(name).timeline));
    return fs::exists(files(name).trace);
  }
  [[nodiscard]] nlohmann::json pruned(std::vector<std::string> words) const {
    words.insert(words.begin(), {"prune", "--json"});
    const Said said = run(words);
    BOOST_REQUIRE_EQUAL(said.code, 0);
    return said.lines().at(0);
  }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(prune, Fixture)

BOOST_AUTO_TEST_CASE(it_says_what_it_did) {
  const Said said = run({"prune", "--keep-samples", "4", "--keep-runs", "7"});
  BOOST_TEST(said.code == 0);
  BOOST_TEST(holds(said.out, "dropped 2 runs with 2 results"), said.out);
  BOOST_TEST(holds(said.out, "dropped the samples of 3 runs"), said.out);
  BOOST_TEST(holds(said.out, "free for new results"), said.out);
  BOOST_TEST(run({"runs", "--json"}).lines().size() == 7U);
  BOOST_TEST(run({"history", "tiny", "--json"}).lines().size() >= 7U);
}

BOOST_AUTO_TEST_CASE(what_was_pruned_is_still_shown_judged_and_accepted) {
  const auto judged = [&] { return run({"judge", "--run", "3", "--json"}).out; };
  BOOST_REQUIRE_EQUAL(run({"baseline", "accept", "--last", "5", "--reason", "test"}).code, 0);
  const std::string verdict = judged();
  const std::string shown = run({"report", "--run", "3", "--format", "csv"}).out;
  const Said said = json({"--keep-samples", "1"});
  BOOST_TEST(said.lines().at(0).at("sample_runs") == 4);
  BOOST_TEST(said.lines().at(0).at("kept_for_baselines") == 4);
  BOOST_TEST(judged() == verdict);
  BOOST_TEST(run({"report", "--run", "3", "--format", "csv"}).out == shown);
}

BOOST_AUTO_TEST_CASE(runs_of_baselines_stay) {
  BOOST_REQUIRE_EQUAL(run({"baseline", "accept", "--last", "5", "--reason", "test"}).code, 0);
  BOOST_TEST(json({"--keep-runs", "1"}).lines().at(0).at("runs") == 4);
  BOOST_TEST(run({"runs", "--json"}).lines().size() == 5U);
}

BOOST_AUTO_TEST_CASE(without_the_baselines_no_run_goes) {
  std::filesystem::remove_all(at("b"));
  const Said said = run({"prune", "--keep-runs", "1"});
  BOOST_TEST(said.code == 64);
  BOOST_TEST(holds(said.err, "there is no folder of baselines"), said.err);
  BOOST_TEST(run({"runs", "--json"}).lines().size() == 9U);
  std::filesystem::create_directories(at("b/nvidia-h200"));
  write("b/nvidia-h200/add.json", "{");
  BOOST_TEST(run({"prune", "--keep-runs", "1"}).code == 3);
  BOOST_TEST(run({"runs", "--json"}).lines().size() == 9U);
}

BOOST_AUTO_TEST_CASE(a_dry_run_only_says_it) {
  const Said said = run({"prune", "--keep-runs", "2", "--dry-run"});
  BOOST_TEST(holds(said.out, "would drop 7 runs"), said.out);
  BOOST_TEST(run({"runs", "--json"}).lines().size() == 9U);
}

BOOST_FIXTURE_TEST_CASE(the_timelines_of_a_dropped_run_go_with_it, Failed) {
  const Said planned = run({"prune", "--keep-runs", "1", "--dry-run"});
  BOOST_TEST(holds(planned.out, "would drop the timelines of 1 case, whose results are gone"), planned.out);
  BOOST_TEST(has("add.first.f32"));
  const auto bytes = fs::file_size(files("add.first.f32").trace) + fs::file_size(files("add.first.f32").timeline);
  const auto done = pruned({"--keep-runs", "1"});
  BOOST_TEST(done.at("timeline_cases") == 1);
  BOOST_TEST(done.at("timeline_bytes") == bytes);
  BOOST_TEST(!has("add.first.f32"));
  BOOST_TEST(has("add.second.f32"));
  BOOST_TEST(!holds(run({"prune", "--keep-runs", "1"}).out, "timelines"));
}

BOOST_FIXTURE_TEST_CASE(timelines_stay_where_samples_alone_go, Failed) {
  BOOST_TEST(pruned({"--keep-samples", "1"}).at("timeline_cases") == 0);
  BOOST_TEST(has("add.first.f32"));
  BOOST_TEST(has("add.second.f32"));
}

BOOST_FIXTURE_TEST_CASE(timelines_without_a_result_go_unless_a_case_may_be_about_to_store_it, Failed) {
  leave("add.first.f32", 1'500'000);
  leave("sub.unknown.f32", 1'000'250);
  BOOST_TEST(pruned({"--keep-samples", "9", "--dry-run"}).at("timeline_cases") == 2);
  fs::last_write_time(files("add.first.f32").trace, fs::file_time_type::clock::now());
  BOOST_TEST(pruned({"--keep-samples", "9"}).at("timeline_cases") == 1);
  BOOST_TEST(has("add.first.f32"));
  BOOST_TEST(!has("sub.unknown.f32"));
}

BOOST_FIXTURE_TEST_CASE(records_that_cannot_be_read_go_with_the_newest_result, Failed) {
  write("h.timelines/add.first.f32.trace.jsonl", "of a newer opgate\n");
  age("add.first.f32");
  fs::remove(files("add.second.f32").trace);
  BOOST_TEST(pruned({"--keep-runs", "1"}).at("timeline_cases") == 0);
  BOOST_TEST(has("add.first.f32"));
  BOOST_TEST(fs::exists(files("add.second.f32").timeline));
}

BOOST_FIXTURE_TEST_CASE(what_opgate_did_not_write_stays, Failed) {
  const fs::path folder = files("x").trace.parent_path();
  write("h.timelines/notes.txt", "mine");
  write("h.timelines/mine.json", "{\"mine\": 1}");
  age("mine");
  write("elsewhere.json", "{}");
  fs::create_symlink(at("elsewhere.json"), folder / "linked.json");
  fs::create_directories(folder / "folder.json");
  BOOST_TEST(pruned({"--keep-runs", "1"}).at("timeline_cases") == 1);
  BOOST_TEST(fs::exists(folder / "notes.txt"));
  BOOST_TEST(fs::exists(folder / "mine.json"));
  BOOST_TEST(fs::exists(folder / "linked.json"));
  BOOST_TEST(fs::is_directory(folder / "folder.json"));
}

BOOST_FIXTURE_TEST_CASE(timelines_behind_a_symbolic_link_stay, Failed) {
  const fs::path folder = files("x").trace.parent_path();
  fs::rename(folder, at("elsewhere"));
  fs::create_directory_symlink(at("elsewhere"), folder);
  leave("sub.unknown.f32", 1'000'250);
  const Said said = run({"prune", "--keep-runs", "1", "--dry-run"});
  BOOST_TEST(holds(said.out, "would drop 1 run"), said.out);
  BOOST_TEST(!holds(said.out, "the timelines of"), said.out);
  BOOST_TEST(holds(said.out, "kept all timelines, because " + folder.string() + " is a symbolic link"), said.out);
  const auto done = pruned({"--keep-runs", "1"});
  BOOST_TEST(done.at("runs") == 1);
  BOOST_TEST(done.at("timeline_cases") == 0);
  BOOST_TEST(done.at("timelines_link") == folder.string());
  BOOST_TEST(fs::is_symlink(folder));
  for (const char* const name : {"add.first.f32", "add.second.f32", "sub.unknown.f32"}) BOOST_TEST(has(name), name);
  fs::remove(folder);
  fs::create_symlink(at("nowhere"), folder);
  BOOST_TEST(pruned({"--keep-runs", "1"}).at("timeline_cases") == 0);
  BOOST_TEST(fs::is_symlink(folder));
}

// The history and its timelines may lie on another disk together: then the folder itself is none of theirs.
BOOST_FIXTURE_TEST_CASE(timelines_in_a_folder_that_is_reached_by_a_link_go, Failed) {
  fs::create_directory_symlink(at("."), at("linked"));
  const Said said = bare({"prune", "--keep-runs", "1", "--json", "--history", at("linked/h.sqlite").string(),
                          "--baselines", at("b").string()});
  BOOST_TEST(said.lines().at(0).at("timeline_cases") == 1);
  BOOST_TEST(!has("add.first.f32"));
  BOOST_TEST(has("add.second.f32"));
}

BOOST_FIXTURE_TEST_CASE(timelines_that_another_history_may_have_left_stay, Failed) {
  write("h.notes", "no history");
  BOOST_TEST(pruned({"--keep-runs", "1", "--dry-run"}).at("timeline_cases") == 1);
  fs::copy_file(at("h.sqlite"), at("h.bak"));
  const Said said = run({"prune", "--keep-runs", "1"});
  BOOST_TEST(holds(said.out, "kept all timelines, because " + at("h.bak").string() + " may have left them"), said.out);
  BOOST_TEST(pruned({"--keep-runs", "1"}).at("timelines_shared_with") == at("h.bak").string());
  BOOST_TEST(has("add.first.f32"));
  BOOST_TEST(has("add.second.f32"));
}

BOOST_FIXTURE_TEST_CASE(timelines_that_a_case_replaced_meanwhile_stay, Failed) {
  const auto kept = run::kept_of_cases(store::History::open_for_reading(at("h.sqlite")), run::unix_ms());
  BOOST_REQUIRE_EQUAL(kept.size(), 2U);
  leave("add.first.f32", kSecondRunMs + 300);
  fs::last_write_time(files("add.first.f32").trace, fs::file_time_type::clock::now());
  BOOST_TEST(run::prune_records(kept, {1, 2}, false).cases == 1);
  BOOST_TEST(has("add.first.f32"));
  BOOST_TEST(!has("add.second.f32"));
}

BOOST_FIXTURE_TEST_CASE(timelines_of_a_result_behind_many_newer_ones_are_known, Failed) {
  auto history = store::History::open_for_writing(at("h.sqlite"));
  for (int i = 0; i < 60; ++i) put_run(history, kSecondRunMs + 10'000 * (i + 1));
  const auto kept = run::kept_of_cases(history, run::unix_ms());
  BOOST_REQUIRE_EQUAL(kept.size(), 2U);
  BOOST_TEST((kept[0].run_id == 1));
  BOOST_TEST((kept[1].run_id == 2));
}

BOOST_AUTO_TEST_CASE(what_may_go_must_be_said_well) {
  BOOST_TEST(run({"prune"}).code == 64);
  for (const char* const bad : {"0", "-1", "x", "3w", "d", "1.5d", "99999999"}) {
    BOOST_TEST(run({"prune", std::string("--keep-runs=") + bad}).code == 64, bad);
  }
  BOOST_TEST(bare({"prune", "--keep-runs", "3", "--history", at("none.sqlite").string()}).code == 3);
  BOOST_TEST(!std::filesystem::exists(at("none.sqlite")));
}

BOOST_AUTO_TEST_SUITE_END()
