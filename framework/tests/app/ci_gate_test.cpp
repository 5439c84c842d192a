#include <fmt/format.h>

#include <boost/test/unit_test.hpp>
#include <fstream>

#include "app/desk.hpp"
#include "device/environment.hpp"
#include "run/command.hpp"
#include "text/file.hpp"

using namespace opgate;
using namespace opgate::tests;
namespace fs = std::filesystem;

namespace {

struct Ended {
  int code = 0;
  std::string out;  // both outputs
};

// A project in git with ci/gate, whose build makes a case executable that plays the plan of its commit.
struct Repository : Desk {
  Repository() {
    fs::create_directories(at("repo/ci"));
    fs::copy_file(fs::path(OPGATE_SOURCE_DIR) / "ci" / "gate", at("repo/ci/gate"));
    git({"init", "--quiet", "--initial-branch=trunk"});
    std::ofstream(at("repo/.git/info/exclude"), std::ios::app) << "build\nresults\n";
    write("repo/CMakeLists.txt", R"(cmake_minimum_required(VERSION 3.25)
project(fake LANGUAGES NONE)
include("${CMAKE_SOURCE_DIR}/extra.cmake" OPTIONAL)
file(WRITE "${CMAKE_BINARY_DIR}/opgate/project.json" "{\n  \"version\": 1, \"source_dir\": \"${CMAKE_SOURCE_DIR}\",
  \"build_dir\": \"${CMAKE_BINARY_DIR}\",\n  \"specs\": {\n    \"fake\": \"${CMAKE_SOURCE_DIR}/fake.json\"\n  },
  \"history\": \"${CMAKE_BINARY_DIR}/h\",\n  \"baselines\": \"${CMAKE_SOURCE_DIR}/b\",\n  \"have_cuda\": true\n}")
file(WRITE "${CMAKE_BINARY_DIR}/op.sh" "#!/bin/sh\nexec '$ENV{FAKE_CASE}' \"$@\"\n")
file(CHMOD "${CMAKE_BINARY_DIR}/op.sh" PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE)
add_custom_target(op_fake
  COMMAND ${CMAKE_COMMAND} -E make_directory "${CMAKE_BINARY_DIR}/bin"
  COMMAND ${CMAKE_COMMAND} -E copy "${CMAKE_BINARY_DIR}/op.sh" "${CMAKE_BINARY_DIR}/bin/op_fake"
  COMMAND ${CMAKE_COMMAND} -E copy "${CMAKE_SOURCE_DIR}/plan.json" "${CMAKE_BINARY_DIR}/plan.json")
)");
    spec("small");
    ::unsetenv("OPGATE_PROJECT");
  }

  void spec(const std::string& workload) const {
    write("repo/fake.json", fmt::format(R"({{"op": "fake", "doc": "y = x", "inputs": {{"x": "dtype[n]"}},
      "outputs": {{"y": "dtype[n]"}}, "dtypes": ["f32"], "labels": ["gate"],
      "workloads": [{{"name": "{}", "n": 16}}]}})",
                                        workload));
    workload_ = workload;
  }
  void git(std::vector<std::string> words) const {
    words.insert(words.begin(), {"git", "-c", "user.name=A", "-c", "user.email=a@b", "-c", "commit.gpgsign=false"});
    BOOST_REQUIRE_EQUAL(run::capture(words, at("repo")).exit_status, 0);
  }
  void plays(int busy_ns, const std::string& more = "") const {
    write("repo/plan.json", fmt::format(R"({{"fake.{}.f32": {{"busy_ns": {}{}}}}})", workload_, busy_ns, more));
  }
  void commit(const std::string& subject, int busy_ns) const {
    plays(busy_ns);
    write("repo/" + subject, "");
    git({"add", "-A"});
    git({"commit", "--quiet", "-m", subject});
    git({"tag", subject});
  }
  Ended gate(std::vector<std::string> words, const std::string& folder = "repo") const {
    words.insert(words.begin(), {"sh", "-c", "exec \"$@\" 2>&1", "sh", "bash", "ci/gate"});
    const auto done = run::capture(words, at(folder));
    return {done.exit_status, done.output};
  }
  [[nodiscard]] std::string summary() const {
    return text::read_file(at("repo/results/gate-summary.md"), ErrorKind::io);
  }
  // No worktree is left, neither in git's eyes nor on the disk.
  [[nodiscard]] bool is_clean() const {
    const auto trees = run::capture({"git", "worktree", "list", "--porcelain"}, at("repo")).output;
    return trees.find("worktree ", 1) == std::string::npos && !fs::exists(at("repo/build/gate-base-source"));
  }

  mutable std::string workload_;
  test::Variable library{"OPGATE_NVML_LIBRARY", OPGATE_FAKE_NVML};
  test::Variable devices{"FAKE_NVML_DEVICES", "1"};
  test::Variable visible{"CUDA_VISIBLE_DEVICES"};
  test::Variable locks{"OPGATE_LOCK_DIR", at("locks").string()};
  test::Variable command{"OPGATE_COMMAND", OPGATE_COMMAND_FILE};
  test::Variable fake{"FAKE_CASE", OPGATE_FAKE_CASE_A};
  test::Variable generator{"CMAKE_GENERATOR", OPGATE_TEST_GENERATOR};
};

bool has(const std::string& text, const std::string& words) {
  return text.find(words) != std::string::npos;
}

}  // namespace

BOOST_FIXTURE_TEST_SUITE(ci_gate, Repository)

BOOST_AUTO_TEST_CASE(an_innocent_commit_is_green_and_the_last_lines_name_the_files) {
  commit("base", 100'000);
  commit("same", 100'000);
  const Ended ended = gate({"--base", "base"});
  BOOST_TEST(ended.code == 0, ended.out);
  BOOST_TEST(has(ended.out, "GREEN"));
  BOOST_TEST(has(ended.out, "base (merge base with base)"), ended.out);
  BOOST_TEST(ended.out.ends_with("comment: " + at("repo/results/gate-comment.md").string() + "\n"), ended.out);
  BOOST_TEST(is_clean());
}

BOOST_AUTO_TEST_CASE(a_slower_commit_is_red_and_so_is_a_slower_dirty_tree) {
  commit("base", 100'000);
  commit("slow", 104'000);
  const Ended ended = gate({"--base", "base"});
  BOOST_TEST(ended.code == 1, ended.out);
  BOOST_TEST(has(summary(), "fake.small.f32"));
  git({"reset", "--quiet", "--hard", "refs/tags/base"});
  BOOST_TEST(gate({"--base", "base"}).code == 0);
  plays(104'000);
  const Ended dirty = gate({"--base", "base"});
  BOOST_TEST(dirty.code == 1, dirty.out);
  BOOST_TEST(has(dirty.out, "with uncommitted changes"));
  BOOST_TEST(is_clean());
}

BOOST_AUTO_TEST_CASE(what_came_to_the_other_branch_since_does_not_count) {
  commit("base", 104'000);
  git({"branch", "other"});
  commit("mine", 104'000);
  git({"checkout", "--quiet", "other"});
  commit("theirs", 100'000);
  git({"checkout", "--quiet", "trunk"});
  BOOST_TEST(gate({"--base", "other"}).code == 0);
}

BOOST_AUTO_TEST_CASE(a_side_that_does_not_build_is_named) {
  commit("base", 100'000);
  write("repo/extra.cmake", "message(FATAL_ERROR \"it is broken\")");
  commit("broken", 100'000);
  const Ended ended = gate({"--base", "base"});
  BOOST_TEST(ended.code == 3, ended.out);
  BOOST_TEST(has(ended.out, "the candidate does not build"));
  BOOST_TEST(has(ended.out, "it is broken"));
  BOOST_TEST(has(summary(), "the candidate does not build"));
  BOOST_TEST(is_clean());
  fs::remove(at("repo/extra.cmake"));
  commit("mended", 100'000);
  const Ended base = gate({"--base", "broken"});
  BOOST_TEST(base.code == 3, base.out);
  BOOST_TEST(has(base.out, "the base does not build"));
}

BOOST_AUTO_TEST_CASE(a_renamed_case_is_red_unless_allowed) {
  commit("base", 100'000);
  spec("renamed");
  commit("change", 100'000);
  const Ended ended = gate({"--base", "base"});
  BOOST_TEST(ended.code == 3, ended.out);
  BOOST_TEST(has(ended.out, "the candidate measures the same as fake.renamed.f32"), ended.out);
  BOOST_TEST(gate({"--base", "base", "--allow-removed"}).code == 0);
}

BOOST_AUTO_TEST_CASE(sources_in_a_folder_can_be_the_base) {
  commit("base", 100'000);
  (void)run::capture({"cp", "-r", at("repo").string(), at("copy").string()});
  fs::remove_all(at("copy/.git"));
  commit("slow", 104'000);
  BOOST_TEST(gate({"--base-dir", at("copy").string()}).code == 1);
  BOOST_TEST(gate({"--base-dir", at("nowhere").string()}).code == 3);
}

BOOST_AUTO_TEST_CASE(a_clone_without_the_merge_base_says_how_to_get_it) {
  commit("base", 100'000);
  git({"branch", "other"});
  commit("mine", 100'000);
  git({"checkout", "--quiet", "other"});
  commit("theirs", 100'000);
  const auto cloned = run::capture({"git", "clone", "--quiet", "--depth=1", "--no-single-branch", "--branch=trunk",
                                    "file://" + at("repo").string(), at("shallow").string()});
  BOOST_REQUIRE_EQUAL(cloned.exit_status, 0);
  const Ended ended = gate({"--base", "origin/other"}, "shallow");
  BOOST_TEST(ended.code == 3, ended.out);
  BOOST_TEST(has(ended.out, "which is shallow"));
  BOOST_TEST(has(ended.out, "git fetch --unshallow"));
  BOOST_TEST(gate({"--base", "nowhere"}, "shallow").code == 64);
}

BOOST_AUTO_TEST_CASE(without_a_gpu_it_is_not_green) {
  commit("base", 100'000);
  const test::Variable none("FAKE_NVML_DEVICES", "0");
  const Ended ended = gate({"--base", "base"});
  BOOST_TEST(ended.code == 3, ended.out);
  BOOST_TEST(has(ended.out, "nothing was measured"));
}

BOOST_AUTO_TEST_CASE(told_to_stop_it_leaves_no_worktree_and_no_process) {
  commit("base", 100'000);
  plays(100'000, R"(, "behaviour": "hang")");
  for (const char* signal : {"INT", "TERM"}) {
    const std::string script =
        "bash ci/gate --base base >out.log 2>&1 & gate=$!; "
        "for i in $(seq 600); do [ -s build/gate/started.log ] && break; sleep 0.05; done; "
        "env kill -s " +
        std::string(signal) + " $gate; wait $gate; echo \"code $?\"; rm -f build/gate/started.log; " +
        "for i in $(seq 200); do left=$(ps -eo args | grep -c '^[^ ]*opgate_fake_case_a fake'); [ $left = 0 ] && "
        "break; "
        "sleep 0.05; done; echo $left";
    // A shell with job control, so that the gate does not ignore SIGINT as background jobs else do.
    const auto done = run::capture({"bash", "-m", "-c", script}, at("repo"));
    BOOST_TEST(done.output == "code 3\n0\n", done.output + text::read_file(at("repo/out.log"), ErrorKind::io));
    BOOST_TEST(is_clean());
  }
}

BOOST_AUTO_TEST_CASE(two_gates_do_not_share_a_tree_and_words_are_checked) {
  commit("base", 100'000);
  fs::create_directories(at("repo/build"));
  const auto done = run::capture(
      {"flock", at("repo/build/gate.lock").string(), "sh", "-c", "bash ci/gate --base base 2>&1; echo \"code $?\""},
      at("repo"));
  BOOST_TEST(has(done.output, "another ci/gate runs in this tree"), done.output);
  BOOST_TEST(has(done.output, "code 3"));
  BOOST_TEST(gate({}).code == 64);
  BOOST_TEST(gate({"--base", "a", "--base-dir", "b"}).code == 64);
  BOOST_TEST(gate({"--unknown"}).code == 64);
}

BOOST_AUTO_TEST_SUITE_END()
