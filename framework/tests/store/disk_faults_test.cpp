// Disks that are full, and disks that forget.
#include <sched.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/resource.h>

#include <boost/test/unit_test.hpp>
#include <functional>
#include <map>
#include <random>

#include "store/fixtures.hpp"
#include "store/history.hpp"

namespace opgate::store::test {
namespace {

namespace fs = std::filesystem;

struct Fixture {
  TemporaryFolder folder;
  fs::path path = folder / "history.sqlite";
};

// Stores results until one is refused; 0 when the refusal is as it should be, and all that was reported as stored is
// there, whole, and can be added to once there is room.
int fill(const fs::path& path, const std::string& said, const std::function<void()>& make_room) {
  std::size_t stored = 0;
  std::string refusal;
  {
    History history = History::open_for_writing(path);
    const auto run = history.open_run(some_run());
    while (refusal.empty() && stored < 100'000) {
      try {
        CaseResult result = full_result();
        result.identity.name = "case " + std::to_string(stored);
        history.put_result(run, result);
        ++stored;
      } catch (const Error& error) {
        refusal = error.what();
      }
    }
  }
  if (refusal.find(path.string()) == std::string::npos || refusal.find(said) == std::string::npos ||
      refusal.find("fix: ") == std::string::npos) {
    return 1;
  }
  if (History::open_for_reading(path).results({}).size() != stored) return 2;
  make_room();
  History history = History::open_for_writing(path);
  history.put_result(1, small_result("afterwards"));
  const auto results = history.results({});
  if (results.size() != stored + 1) return 3;
  for (const CaseResult& result : results) {
    if (result.attempts.empty() || result.attempts.front().implementations.front().measurement.samples.empty())
      return 4;
  }
  return 0;
}

constexpr int kNotAllowed = 77;

// In a mount namespace of its own, which ends with the process.
int on_a_small_disk(const fs::path& folder) {
  const bool may = ::unshare(CLONE_NEWNS) == 0 && ::mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0 &&
                   ::mount("tmpfs", folder.c_str(), "tmpfs", 0, "size=900k") == 0;
  if (!may) return kNotAllowed;
  return fill(folder / "history.sqlite", "fix: free space on its disk, then run again", [&] {
    if (::mount("tmpfs", folder.c_str(), "tmpfs", MS_REMOUNT, "size=9m") != 0) ::_exit(95);
  });
}

using Samples = std::map<std::string, std::vector<Sample>>;

Samples samples_of(const std::vector<CaseResult>& results) {
  Samples all;
  for (const CaseResult& result : results) {
    for (const core::Attempt& attempt : result.attempts) {
      for (const auto& one : attempt.implementations) {
        all[std::to_string(result.id) + "/" + std::to_string(attempt.number) + "/" + one.measurement.name] =
            one.measurement.samples;
      }
    }
  }
  return all;
}

CaseResult slower_by(int ns, const std::string& name) {
  CaseResult result = full_result();
  result.identity.name = name;
  for (core::Attempt& attempt : result.attempts) {
    for (core::ImplementationResult& one : attempt.implementations) {
      for (Sample& sample : one.measurement.samples) {
        sample.busy_ns += ns;
        sample.latency_ns += ns;
      }
    }
  }
  return result;
}

// Whether a history reads as before, is refused, or tells something else.
enum class Reading { same, refused, other };

Reading read_again(const fs::path& path, const Samples& before) {
  try {
    const Samples now = samples_of(History::open_for_reading(path).results({}));
    for (const auto& [name, samples] : now) {
      const auto found = before.find(name);
      if (found != before.end() && !samples.empty() && samples != found->second) return Reading::other;
    }
    return Reading::same;
  } catch (const Error&) {
    return Reading::refused;
  }
}

}  // namespace

BOOST_FIXTURE_TEST_SUITE(disk_faults, Fixture)

BOOST_AUTO_TEST_CASE(a_full_disk_costs_the_result_that_did_not_fit_and_no_other) {
  const fs::path disk = folder / "disk";
  fs::create_directory(disk);
  const int code = in_child(false, [&] { return on_a_small_disk(disk); });
  if (code == kNotAllowed) {
    BOOST_TEST_MESSAGE("not allowed to mount here: only the limit of a file's size is tried");
    return;
  }
  BOOST_TEST(code == 0);
}

BOOST_AUTO_TEST_CASE(a_file_that_may_not_grow_costs_the_result_that_did_not_fit_and_no_other) {
  const int code = in_child(false, [&] {
    ::signal(SIGXFSZ, SIG_IGN);  // the write then fails
    rlimit limit{};
    ::getrlimit(RLIMIT_FSIZE, &limit);
    const rlim_t all = limit.rlim_cur;
    limit.rlim_cur = 900'000;
    ::setrlimit(RLIMIT_FSIZE, &limit);
    return fill(path, "SQLite refused (disk I/O error)", [&] {
      limit.rlim_cur = all;
      ::setrlimit(RLIMIT_FSIZE, &limit);
    });
  });
  BOOST_TEST(code == 0);
}

// SQLite keeps no checksums; the samples do. No two results have the same, so that those of another would show.
BOOST_AUTO_TEST_CASE(flipped_bits_never_give_other_samples) {
  {
    History history = History::open_for_writing(path);
    const auto run = history.open_run(some_run());
    for (int i = 0; i < 4; ++i) history.put_result(run, slower_by(i, "case " + std::to_string(i)));
  }
  const std::string whole = bytes_of(path);
  const Samples before = samples_of(History::open_for_reading(path).results({}));
  std::mt19937_64 dice(7);
  std::map<Reading, int> counts;
  for (int round = 0; round < 400; ++round) {
    std::string damaged = whole;
    const std::size_t at = dice() % damaged.size();
    damaged[at] = static_cast<char>(static_cast<unsigned char>(damaged[at]) ^ (1U << (dice() % 8)));
    for (const char* const beside : {"-wal", "-shm"}) fs::remove(path.string() + beside);
    write_bytes(path, damaged);
    const Reading reading = read_again(path, before);
    ++counts[reading];
    BOOST_TEST((reading != Reading::other), "bit of byte " << at);
    // A writer may refuse as well, and does not crash.
    const int wrote = in_child(false, [&] {
      try {
        History history = History::open_for_writing(path);
        history.put_result(history.open_run(some_run("")), small_result("more"));
      } catch (const Error&) {
        return 1;
      }
      return 0;
    });
    BOOST_TEST(wrote <= 1);
  }
  BOOST_TEST(counts[Reading::refused] > 0);
}

// Stored times only describe: what came later is what has the higher number.
BOOST_AUTO_TEST_CASE(a_clock_that_steps_back_changes_no_order) {
  History history = History::open_for_writing(path);
  for (const int step : {0, -3'600'000, -86'400'000}) {
    RunInfo run = some_run("");
    run.started_unix_ms += step;
    const auto id = history.open_run(run);
    history.put_result(id, small_result("a", 1000 - step / 1000));
    history.close_run(id, run.started_unix_ms - 5000);  // before it began
  }
  const auto rows = history.series("a");
  BOOST_REQUIRE_EQUAL(rows.size(), 3U);
  BOOST_TEST(rows[0].run_id == 3);
  BOOST_TEST(rows[2].run_id == 1);
  BOOST_TEST(history.runs(1).at(0).id == 3);
  BOOST_TEST(history.runs(1).at(0).closed_unix_ms.has_value());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace opgate::store::test
