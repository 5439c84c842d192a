#include <fmt/format.h>

#include <boost/test/unit_test.hpp>
#include <fstream>
#include <set>

#include "app/desk.hpp"
#include "app/on_terminal.hpp"
#include "device/environment.hpp"
#include "run/command.hpp"

using namespace opgate;
using namespace opgate::tests;
namespace fs = std::filesystem;

namespace {

constexpr const char* kCase = "fake.small.f32";

// A project in git whose build makes a case executable that plays the plan of its commit.
struct Repository : Desk {
  Repository() {
    fs::create_directories(at("repo"));
    git({"init", "--quiet", "--initial-branch=trunk"});
    write("repo/fake.json", R"({"op": "fake", "doc": "y = x", "inputs": {"x": "dtype[n]"}, "outputs": {"y": "dtype[n]"},
      "dtypes": ["f32"], "labels": ["nightly"], "workloads": [{"name": "small", "n": 16}]})");
    write("repo/CMakeLists.txt", R"(cmake_minimum_required(VERSION 3.25)
project(fake LANGUAGES NONE)
set(FAKE_CASE "" CACHE FILEPATH "set where the project was configured only")
include("${CMAKE_SOURCE_DIR}/broken.cmake" OPTIONAL)
file(WRITE "${CMAKE_BINARY_DIR}/opgate/project.json" "{\"version\": 1, \"source_dir\": \"${CMAKE_SOURCE_DIR}\",
  \"build_dir\": \"${CMAKE_BINARY_DIR}\", \"specs\": {\"fake\": \"${CMAKE_SOURCE_DIR}/fake.json\"},
  \"history\": \"${CMAKE_BINARY_DIR}/h\", \"baselines\": \"${CMAKE_BINARY_DIR}/b\", \"have_cuda\": true}")
file(WRITE "${CMAKE_BINARY_DIR}/op.sh" "#!/bin/sh\nexec '${FAKE_CASE}' \"$@\"\n")
file(CHMOD "${CMAKE_BINARY_DIR}/op.sh" PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE)
add_custom_target(op_fake
  COMMAND ${CMAKE_COMMAND} -E make_directory "${CMAKE_BINARY_DIR}/bin"
  COMMAND ${CMAKE_COMMAND} -E copy "${CMAKE_BINARY_DIR}/op.sh" "${CMAKE_BINARY_DIR}/bin/op_fake"
  COMMAND ${CMAKE_COMMAND} -E copy "${CMAKE_SOURCE_DIR}/plan.json" "${CMAKE_BINARY_DIR}/plan.json")
)");
  }

  void git(std::vector<std::string> words) const {
    words.insert(words.begin(), {"git", "-c", "user.name=A", "-c", "user.email=a@b", "-c", "commit.gpgsign=false"});
    BOOST_REQUIRE_EQUAL(run::capture(words, at("repo")).exit_status, 0);
  }
  void commit(const std::string& subject, int busy_ns) const {
    write("repo/plan.json", fmt::format(R"({{"{}": {{"busy_ns": {}}}}})", kCase, busy_ns));
    write("repo/" + subject, "");
    git({"add", "-A"});
    git({"commit", "--quiet", "-m", subject});
    git({"tag", subject});
  }
  void break_builds() const { write("repo/broken.cmake", "message(FATAL_ERROR \"it is broken\")"); }
  void mend_builds() const { fs::remove(at("repo/broken.cmake")); }
  // As the engineer has it: a build folder inside the sources.
  void configure() {
    std::ofstream(at("repo/.git/info/exclude"), std::ios::app) << "build\n";
    const auto done = run::capture({"cmake", "-S", at("repo").string(), "-B", at("repo/build").string(), "-G",
                                    OPGATE_TEST_GENERATOR, std::string("-DFAKE_CASE=") + OPGATE_FAKE_CASE_A});
    BOOST_REQUIRE_EQUAL(done.exit_status, 0);
    ::setenv("OPGATE_PROJECT", at("repo/build/opgate/project.json").c_str(), 1);
  }
  [[nodiscard]] Said bisect(std::vector<std::string> words) const {
    words.insert(words.begin(), {"bisect", kCase});
    return bare(words);
  }
  [[nodiscard]] bool is_clean() const {
    const auto trees = run::capture({"git", "worktree", "list", "--porcelain"}, at("repo")).output;
    const auto refs = run::capture({"git", "for-each-ref", "refs/bisect"}, at("repo")).output;
    return trees.find("worktree ", 1) == std::string::npos && refs.empty() && fs::is_empty(at("tmp"));
  }

  test::Variable library{"OPGATE_NVML_LIBRARY", OPGATE_FAKE_NVML};
  test::Variable devices{"FAKE_NVML_DEVICES", "1"};
  test::Variable visible{"CUDA_VISIBLE_DEVICES"};
  test::Variable locks{"OPGATE_LOCK_DIR", at("locks").string()};
  test::Variable temporary{"TMPDIR", (fs::create_directories(at("tmp")), at("tmp").string())};
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(bisect, Repository)

BOOST_AUTO_TEST_CASE(the_commit_that_slowed_the_case_is_found_past_one_that_does_not_build) {
  commit("first", 100'000);
  commit("second", 100'100);
  break_builds();
  commit("broken", 100'000);
  mend_builds();
  commit("third", 100'000);
  commit("culprit", 103'000);
  commit("later", 103'000);
  configure();
  const Said said = bisect({"first", "later", "--json"});
  BOOST_TEST(said.code == 0, said.err);
  const auto lines = said.lines();
  BOOST_REQUIRE_GE(lines.size(), 3U);
  const auto culprit = run::capture({"git", "rev-parse", "culprit"}, at("repo")).output;
  BOOST_TEST(lines.back().at("first_bad") == run::first_line(culprit));
  for (const auto& line : lines) {
    if (!line.contains("subject")) continue;
    const std::string subject = line.at("subject");
    const bool slow = subject == "culprit" || subject == "later";
    BOOST_TEST(line.at("is") == (subject == "broken" ? "skipped" : slow ? "bad" : "good"), subject);
  }
  BOOST_TEST(is_clean());
}

BOOST_AUTO_TEST_CASE(a_terminal_hears_which_commit_is_being_built) {
  commit("good", 100'000);
  commit("culprit", 103'000);
  commit("bad", 103'000);
  configure();
  const std::string said = on_terminal({"bisect", kCase, "good", "bad"}, at("repo").string());
  const std::string commit = run::first_line(run::capture({"git", "rev-parse", "culprit"}, at("repo")).output);
  BOOST_TEST(said.find("bisect 1/3 ") != std::string::npos, said);
  BOOST_TEST(said.find("bisect 3/3 " + commit.substr(0, 12) + " culprit, about ") != std::string::npos, said);
  BOOST_TEST(said.find("became slower with " + commit) != std::string::npos, said);
  BOOST_TEST(is_clean());
}

BOOST_AUTO_TEST_CASE(commits_that_cannot_be_told_apart_are_left_and_said) {
  commit("good", 100'000);
  break_builds();
  commit("broken", 100'000);
  mend_builds();
  commit("bad", 103'000);
  configure();
  const Said said = bisect({"good", "bad"});
  BOOST_TEST(said.code == 6);
  BOOST_TEST(said.out.find("skipped") != std::string::npos);
  BOOST_TEST(said.out.find("it is broken") != std::string::npos);
  BOOST_TEST(said.out.find("only commits that had to be skipped are left") != std::string::npos);
  BOOST_TEST(is_clean());
}

BOOST_AUTO_TEST_CASE(a_bad_commit_that_is_not_slower_is_said) {
  commit("good", 100'000);
  commit("same", 100'000);
  configure();
  const Said said = bisect({"good", "same"});
  BOOST_TEST(said.code == 6);
  BOOST_TEST(said.out.find("not known to be slower") != std::string::npos);
  BOOST_TEST(is_clean());
}

BOOST_AUTO_TEST_CASE(a_good_commit_that_does_not_build_is_an_error_that_cleans_up) {
  break_builds();
  commit("good", 100'000);
  mend_builds();
  commit("bad", 103'000);
  configure();
  const Said said = bisect({"good", "bad"});
  BOOST_TEST(said.code == 64);
  BOOST_TEST(said.err.find("it is broken") != std::string::npos);
  BOOST_TEST(is_clean());
}

BOOST_AUTO_TEST_CASE(the_users_own_command_builds) {
  commit("good", 100'000);
  commit("bad", 103'000);
  configure();
  const std::string command = std::string("cmake -S . -B \"$OPGATE_BISECT_BUILD\" -G ") + OPGATE_TEST_GENERATOR +
                              " -DFAKE_CASE=" + OPGATE_FAKE_CASE_A +
                              " && cmake --build \"$OPGATE_BISECT_BUILD\" --target op_fake && test -f "
                              "\"$OPGATE_BISECT_SOURCE/plan.json\" && echo x >> " +
                              at("built.log").string();
  const Said said = bisect({"good", "bad", "--build-command", command});
  BOOST_TEST(said.code == 0, said.err);
  BOOST_TEST(said.out.find("became slower with") != std::string::npos);
  BOOST_TEST(fs::file_size(at("built.log")) == 4U);  // two commits
  BOOST_TEST(is_clean());
}

BOOST_AUTO_TEST_CASE(a_dry_run_lists_and_does_nothing) {
  commit("good", 100'000);
  commit("middle", 100'000);
  commit("bad", 103'000);
  configure();
  const Said said = bisect({"good", "bad", "--dry-run"});
  BOOST_TEST(said.code == 0);
  BOOST_TEST(said.out.find("2 commits may be") != std::string::npos);
  BOOST_TEST(said.out.find(" middle\n") != std::string::npos);
  BOOST_TEST(said.out.find("--target op_fake") != std::string::npos);
  BOOST_TEST(is_clean());
  BOOST_TEST(!fs::exists(at("order.log")));
}

BOOST_AUTO_TEST_CASE(commits_in_the_wrong_order_or_unknown_are_usage_errors) {
  commit("good", 100'000);
  commit("bad", 103'000);
  configure();
  BOOST_TEST(bisect({"bad", "good"}).code == 64);
  BOOST_TEST(bisect({"good", "good"}).code == 64);
  const Said unknown = bisect({"good", "nowhere"});
  BOOST_TEST(unknown.code == 64);
  BOOST_TEST(unknown.err.find("nowhere: git knows no commit") != std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()
