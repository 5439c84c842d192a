// One flipped bit, anywhere in the file: what is read is what was stored, or nothing is.
#include <boost/test/unit_test.hpp>
#include <map>
#include <random>

#include "store/fixtures.hpp"
#include "store/history.hpp"

namespace opgate::store::test {
namespace {

namespace fs = std::filesystem;

constexpr int kRuns = 3;

// No two results are alike, so that those of another case or run show.
CaseResult result_of(int run, int number) {
  const int at = 10 * run + number;
  if (number > 0) return small_result("case " + std::to_string(number), 2000 + at);
  CaseResult result = full_result();
  result.attempts.front().wall_ns += at;
  return result;
}

std::string text_of_all(const std::vector<CaseResult>& results) {
  std::string text;
  for (const CaseResult& result : results) text += std::to_string(result.run_id) + " " + text_of(result);
  return text;
}

// By every reader of results.
std::map<std::string, std::string> reading_of(const fs::path& path) {
  const History history = History::open_for_reading(path);
  std::map<std::string, std::string> seen{{"all", text_of_all(history.results({}))}};
  for (const RunInfo& run : history.runs()) seen["runs"] += text_of(run) + "\n";
  for (const std::string& name : history.case_names()) {
    seen["names"] += name + "\n";
    seen["of " + name] = text_of_all(history.results({.case_name = name}));
    seen["newest of " + name] = text_of_all(history.results({.case_name = name, .limit = 1}));
  }
  for (int id = 1; id <= kRuns; ++id) {
    const std::string which = " in run " + std::to_string(id);
    const auto run = history.run(id);
    seen["run" + which] = run ? text_of(*run) + std::to_string(history.run_by_uuid(run->uuid)->id) : "";
    seen["results" + which] = text_of_all(history.results({.run_id = id, .with_samples = false}));
    for (const std::string& name : history.case_names(id)) {
      seen[name + which] = text_of_all(history.results({.run_id = id, .case_name = name}));
    }
  }
  return seen;
}

struct Fixture {
  Fixture() {
    {
      History history = History::open_for_writing(path);
      for (int run = 0; run < kRuns; ++run) {
        const auto id = history.open_run(some_run("6b1f0c1e-0000-4000-8000-00000000000" + std::to_string(run)));
        for (int number = 0; number < 4; ++number) history.put_result(id, result_of(run, number));
        history.close_run(id, 1'760'000'100'000);
      }
    }
    whole = bytes_of(path);
  }

  // Half of the rounds where something is: most of the rest of a small file is empty.
  std::string flip() {
    std::string damaged = whole;
    std::size_t at = dice() % damaged.size();
    const bool somewhere = dice() % 2 == 0;
    while (!somewhere && damaged[at] == 0) at = dice() % damaged.size();
    const auto bit = static_cast<unsigned>(dice() % 8);
    damaged[at] = static_cast<char>(static_cast<unsigned char>(damaged[at]) ^ (1U << bit));
    for (const char* const beside : {"-wal", "-shm"}) fs::remove(path.string() + beside);
    write_bytes(path, damaged);
    return "bit " + std::to_string(bit) + " of byte " + std::to_string(at);
  }

  TemporaryFolder folder;
  fs::path path = folder / "history.sqlite";
  std::string whole;
  std::mt19937_64 dice{11};
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(flipped_bits, Fixture)

BOOST_AUTO_TEST_CASE(every_reader_gives_what_was_stored_or_refuses) {
  const auto before = reading_of(path);
  BOOST_TEST(before.size() == 29U);
  int refused = 0;
  int same = 0;
  for (int round = 0; round < 1000; ++round) {
    const std::string where = flip();
    try {
      const auto now = reading_of(path);
      BOOST_TEST((now == before), where);
      ++same;
    } catch (const Error& error) {
      BOOST_TEST((error.kind() == ErrorKind::history), error.what());
      BOOST_TEST(std::string(error.what()).find(path.string()) != std::string::npos, error.what());
      ++refused;
    }
  }
  BOOST_TEST(refused > 300);
  BOOST_TEST(same > 100);
}

BOOST_AUTO_TEST_CASE(a_result_stored_beside_damage_is_right_or_refused) {
  int stored = 0;
  for (int round = 0; round < 500; ++round) {
    const std::string where = flip();
    try {
      std::int64_t run = 0;
      {
        History history = History::open_for_writing(path);
        run = history.open_run(some_run("6b1f0c1e-0000-4000-8000-00000000000f"));
        for (int number = 0; number < 4; ++number) history.put_result(run, result_of(kRuns, number));
      }
      for (int number = 0; number < 4; ++number) {
        CaseResult expected = result_of(kRuns, number);
        expected.run_id = run;
        const auto found =
            History::open_for_reading(path).results({.run_id = run, .case_name = expected.identity.name});
        BOOST_TEST(text_of_all(found) == text_of_all({expected}), where);
      }
      ++stored;
    } catch (const Error&) {
    }
  }
  BOOST_TEST(stored > 50);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace opgate::store::test
