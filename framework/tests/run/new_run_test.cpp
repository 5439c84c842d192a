#include "run/new_run.hpp"

#include <sys/stat.h>

#include <boost/test/unit_test.hpp>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <tuple>

#include "device/environment.hpp"
#include "opgate/error.hpp"
#include "run/command.hpp"

using namespace opgate;

namespace {

struct Sources : test::Folder {
  Sources() { project.source_dir = path; }
  void git(std::vector<std::string> words) const {
    words.insert(words.begin(), {"git", "-C", path.string(), "-c", "user.name=a", "-c", "user.email=a@b"});
    BOOST_REQUIRE(run::capture(words).exit_status == 0);
  }
  [[nodiscard]] store::RunInfo run() const { return run::new_run("hand", false, project, "label"); }
  void write(const std::string& text) const { std::ofstream(path / "a.cu") << text; }

  run::Project project;
  test::Variable named{"OPGATE_COMMIT"};
  test::Variable ceiling{"GIT_CEILING_DIRECTORIES", path.parent_path().string()};
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(new_run, Sources)

BOOST_AUTO_TEST_CASE(a_folder_that_is_no_repository_has_no_commit_but_the_named_one) {
  BOOST_TEST(run().commit.empty());
  BOOST_TEST(!run().dirty);
  const test::Variable commit("OPGATE_COMMIT", "abc123");
  BOOST_TEST(run().commit == "abc123");
}

BOOST_AUTO_TEST_CASE(a_repository_without_commits_has_none) {
  git({"init", "-q"});
  BOOST_TEST(run().commit.empty());
  BOOST_TEST(!run().dirty);
}

BOOST_AUTO_TEST_CASE(the_commit_is_told_and_whether_the_sources_differ_from_it) {
  git({"init", "-q"});
  write("one");
  git({"add", "a.cu"});
  git({"commit", "-q", "-m", "one"});
  BOOST_TEST(run().commit.size() == 40U);
  BOOST_TEST(!run().dirty);
  const test::Variable other("OPGATE_COMMIT", "abc123");
  BOOST_TEST(run().commit.size() == 40U);
  write("two");
  BOOST_TEST(run().dirty);
}

// `git status` writes the index anew where times of files have changed, under a lock that stays behind when it is
// killed, and then no commit is possible any more.
BOOST_AUTO_TEST_CASE(looking_at_the_sources_leaves_the_index_of_their_repository_alone) {
  git({"init", "-q"});
  write("one");
  git({"add", "a.cu"});
  git({"commit", "-q", "-m", "one"});
  const auto index = [&] {
    struct ::stat status {};
    BOOST_REQUIRE(::stat((path / ".git" / "index").c_str(), &status) == 0);
    return std::tuple(status.st_ino, status.st_mtim.tv_sec, status.st_mtim.tv_nsec);
  };
  std::filesystem::last_write_time(path / "a.cu",
                                   std::filesystem::file_time_type::clock::now() - std::chrono::hours(1));
  const auto before = index();
  BOOST_TEST(!run().dirty);
  BOOST_TEST((index() == before));
}

BOOST_AUTO_TEST_CASE(sources_copied_into_another_repository_are_of_the_named_commit) {
  git({"init", "-q"});
  write("one");
  git({"add", "a.cu"});
  git({"commit", "-q", "-m", "one"});
  const std::string known = run().commit;
  write("copied over it");
  const std::string foreign(40, 'a');
  {
    const test::Variable named_here("OPGATE_COMMIT", foreign.c_str());
    BOOST_TEST(run().commit == foreign);
    BOOST_TEST(!run().dirty);
    project.altered = true;
    BOOST_TEST(run().dirty);
    project.altered = false;
  }
  // A commit of this very repository hides no change.
  const test::Variable named_here("OPGATE_COMMIT", known.c_str());
  BOOST_TEST(run().commit == known);
  BOOST_TEST(run().dirty);
}

BOOST_AUTO_TEST_CASE(a_build_that_alters_an_op_is_never_clean) {
  BOOST_TEST(!run().dirty);
  project.altered = true;
  BOOST_TEST(run().dirty);
}

BOOST_AUTO_TEST_CASE(replayed_and_measured_runs_share_no_history) {
  auto measured = store::History::open_for_writing(path / "measured.sqlite");
  auto replays = store::History::open_for_writing(path / "replays.sqlite");
  const store::RunInfo by_hand = run::new_run("hand", false, project, "label");
  const store::RunInfo replay = run::new_run("hand", true, project, "label");
  store::RunInfo imported;
  imported.origin = "import";
  for (store::History* history : {&measured, &replays}) {
    (void)history->open_run(imported);  // is neither
    const bool real = history == &measured;
    BOOST_TEST(run::open_separate_run(*history, real ? by_hand : replay) == 2);
    (void)history->open_run(imported);
    BOOST_CHECK_EXCEPTION(run::open_separate_run(*history, real ? replay : by_hand), Error, [](const Error& error) {
      return error.kind() == ErrorKind::history && !error.where().empty() && !error.remedy().empty();
    });
    BOOST_TEST(history->runs().size() == 3U);
    BOOST_TEST(run::open_separate_run(*history, real ? by_hand : replay) == 4);
  }
}

BOOST_AUTO_TEST_CASE(a_replayed_run_is_of_no_other_origin) {
  const auto replayed = run::new_run("ctest", true, project, "label");
  BOOST_TEST(replayed.origin == "replay");
  BOOST_TEST(replayed.replayed);
  BOOST_TEST(run().origin == "hand");
  BOOST_TEST(run().label == "label");
  BOOST_TEST(!run().host.empty());
  BOOST_TEST(run().started_unix_ms > 0);
}

BOOST_AUTO_TEST_SUITE_END()
