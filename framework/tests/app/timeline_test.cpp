#include <boost/test/unit_test.hpp>

#include "app/desk.hpp"
#include "collect/trace.hpp"
#include "run/kept_records.hpp"
#include "text/file.hpp"

using namespace opgate;
using namespace opgate::tests;
namespace fs = std::filesystem;

namespace {

const std::string kCase = "selftest.three-kernels.f32";
const std::string kTrace = (fs::path(OPGATE_TEST_DATA) / "traces" / "forms" / (kCase + ".trace.jsonl")).string();

nlohmann::json events_of(const fs::path& path) {
  return nlohmann::json::parse(text::read_file(path, ErrorKind::io)).at("traceEvents");
}

std::size_t iterations_in(const fs::path& path) {
  std::size_t count = 0;
  for (const auto& event : events_of(path)) count += event.value("cat", "") == "step,iteration" ? 1 : 0;
  return count;
}

// Two runs of the case, of which the second failed and left the records of its worker.
struct FailedDesk : Desk {
  FailedDesk() {
    auto history = store::History::open_for_writing(at("h.sqlite"));
    for (const std::int64_t started_ms : {1'000'000, 2'000'000}) {
      store::CaseResult result = stored_result(kCase, 20'000);
      result.attempts[0].started_unix_ms = started_ms;
      result.attempts[0].wall_ns = 500'000'000;
      result.exit_code = core::ExitCode::no_baseline;
      history.put_result(history.open_run({}), result);
    }
    collect::Trace trace = collect::read_trace(kTrace);
    trace.recorded_unix_ms = 2'000'250;
    result_ = history.results({.case_name = kCase, .limit = 1}).front();
    kept = run::keep_records(history.path(), result_, collect::format_trace(trace));
  }
  store::CaseResult result_;
  run::KeptRecords kept;
};

}  // namespace

BOOST_AUTO_TEST_SUITE(timeline)

BOOST_AUTO_TEST_CASE(a_trace_needs_no_history) {
  const Desk desk;
  const std::string out = desk.at("out.json").string();
  const Said said = desk.bare({"show", kCase, "--trace", kTrace, "--timeline", out, "--json"});
  BOOST_TEST_CONTEXT(said.err) BOOST_REQUIRE(said.code == 0);
  BOOST_TEST(said.lines().at(0)["phase"] == 3);
  BOOST_TEST(said.lines().at(0)["run"].is_null());
  BOOST_TEST(said.lines().at(0)["iterations_shown"] == "0 to 19");
  BOOST_TEST(iterations_in(out) == 20U);
  const Said text = desk.bare({"show", kCase, "--trace", kTrace, "--timeline", out});
  BOOST_TEST(text.out.find("ui.perfetto.dev") != std::string::npos);
  BOOST_TEST(text.out.find("measure of this op, pass 1, 20 iterations, queued") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_file_that_ends_in_svg_is_a_picture) {
  const Desk desk;
  for (const char* const name : {"out.svg", "OUT.SVG"}) {
    const fs::path out = desk.at(name);
    const Said said =
        desk.bare({"show", kCase, "--trace", kTrace, "--timeline", out.string(), "--iteration", "median"});
    BOOST_TEST_CONTEXT(said.err) BOOST_REQUIRE(said.code == 0);
    BOOST_TEST(said.out.find("perfetto") == std::string::npos);
    const std::string picture = text::read_file(out, ErrorKind::io);
    BOOST_TEST(picture.starts_with("<svg "));
    BOOST_TEST(picture.find(kCase) != std::string::npos);
  }
}

BOOST_AUTO_TEST_CASE(one_iteration_or_another_phase_of_it) {
  const Desk desk;
  const std::string out = desk.at("out.json").string();
  std::vector<std::string> words{"show", kCase, "--trace", kTrace, "--timeline", out, "--json", "--iteration", "7"};
  BOOST_TEST(desk.bare(words).lines().at(0)["iterations_shown"] == "7");
  BOOST_TEST(iterations_in(out) == 1U);
  for (const char* const pick : {"median", "slowest", "fastest"}) {
    words.back() = pick;
    BOOST_TEST(desk.bare(words).code == 0);
    BOOST_TEST(iterations_in(out) == 1U);
  }
  words.back() = "20";
  BOOST_TEST(desk.bare(words).code == 64);
  words.back() = "last";
  BOOST_TEST(desk.bare(words).code == 64);
  words[7] = "--phase";
  words.back() = "2";
  BOOST_TEST(desk.bare(words).lines().at(0)["phase_is"] == "warmup of this op, pass 1, 3 iterations, queued");
  words.back() = "4";
  const Said said = desk.bare(words);
  BOOST_TEST(said.code == 64);
  BOOST_TEST(said.err.find("1 (proof of opgate.tail") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(what_does_not_belong_together_is_refused) {
  const Desk desk;
  const std::string out = desk.at("out.json").string();
  BOOST_TEST(desk.bare({"show", "other.case.f32", "--trace", kTrace, "--timeline", out}).code == 64);
  BOOST_TEST(desk.bare({"show", kCase, "--trace", kTrace}).code == 64);
  BOOST_TEST(desk.bare({"show", kCase, "--iteration", "3"}).code == 64);
  BOOST_TEST(!fs::exists(out));
}

BOOST_FIXTURE_TEST_CASE(a_failed_case_has_kept_its_records, FailedDesk) {
  const std::string out = at("out.json").string();
  const Said said = run({"show", kCase, "--timeline", out, "--json"});
  BOOST_TEST_CONTEXT(said.err) BOOST_REQUIRE(said.code == 0);
  BOOST_TEST(said.lines().at(0)["run"] == 2);
  BOOST_TEST(text::read_file(out, ErrorKind::io) == text::read_file(kept.timeline, ErrorKind::io));
  BOOST_TEST(run({"show", kCase}).out.find("test_app show " + kCase + " --run 2 --timeline") != std::string::npos);
}

BOOST_FIXTURE_TEST_CASE(a_timeline_never_replaces_the_records_it_shows, FailedDesk) {
  const std::string kept_before = text::read_file(kept.trace, ErrorKind::io);
  const fs::path copy = at("copy.trace.jsonl");
  fs::copy_file(kTrace, copy);
  fs::create_symlink(copy, at("link"));
  for (const fs::path& file : {copy, at("link")}) {
    const Said said = bare({"show", kCase, "--trace", copy.string(), "--timeline", file.string()});
    BOOST_TEST(said.code == 64);
    BOOST_TEST(said.err.find("would replace the trace that it shows\n  fix: ") != std::string::npos, said.err);
  }
  BOOST_TEST(run({"show", kCase, "--timeline", kept.trace.string()}).code == 64);
  BOOST_TEST(run({"show", kCase, "--timeline", at("h.sqlite").string()}).code == 3);
  BOOST_TEST(text::read_file(copy, ErrorKind::io) == text::read_file(kTrace, ErrorKind::io));
  BOOST_TEST(text::read_file(kept.trace, ErrorKind::io) == kept_before);
  BOOST_TEST(run({"show", kCase, "--json"}).code == 0);  // the history is whole
}

BOOST_FIXTURE_TEST_CASE(records_of_another_run_are_not_taken_for_this_one, FailedDesk) {
  const std::string out = at("out.json").string();
  const Said said = run({"show", kCase, "--run", "1", "--timeline", out});
  BOOST_TEST(said.code == 3);
  BOOST_TEST(said.err.find("are of run 2, not of run 1") != std::string::npos);
  BOOST_TEST(!fs::exists(out));
  BOOST_TEST(run({"show", kCase, "--run", "1"}).out.find("--timeline") == std::string::npos);
}

BOOST_FIXTURE_TEST_CASE(without_records_it_says_how_to_get_them, FailedDesk) {
  fs::remove(kept.trace);
  const Said said = run({"show", kCase, "--timeline", at("out.json").string()});
  BOOST_TEST(said.code == 3);
  BOOST_TEST(said.err.find("op_selftest " + kCase + " --record") != std::string::npos);
  text::write_file(kept.trace, "{}\n", ErrorKind::io);
  BOOST_TEST(run({"show", kCase, "--timeline", at("out.json").string()}).code == 3);
  BOOST_TEST(run({"show", kCase}).code == 0);  // what is kept beside a result never hides it
}

BOOST_AUTO_TEST_SUITE_END()
