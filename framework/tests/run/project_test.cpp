#include "run/project.hpp"

#include <unistd.h>

#include <boost/test/unit_test.hpp>
#include <cstdlib>

#include "opgate/error.hpp"
#include "text/file.hpp"

using namespace opgate;
namespace fs = std::filesystem;

namespace {

struct Folder {
  Folder() {
    std::string pattern = (fs::temp_directory_path() / "opgate-project-XXXXXX").string();
    BOOST_REQUIRE(::mkdtemp(pattern.data()) != nullptr);
    path = pattern;
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() {
    std::error_code ignored;
    fs::remove_all(path, ignored);
  }
  fs::path project(const std::string& build, const std::string& text = "{}") const {
    const fs::path file = path / build / "opgate" / "project.json";
    fs::create_directories(file.parent_path());
    text::write_file(file, text, ErrorKind::io);
    return file;
  }
  fs::path path;
};

const std::string kGood = R"({"version": 1, "source_dir": "/src", "build_dir": "/src/build",
  "specs": {"gemm": "/src/specs/gemm.json"}, "history": "/src/results/history.sqlite",
  "baselines": "/src/baselines", "have_cuda": true, "altered": true})";

std::string problem_of(const fs::path& file) {
  try {
    (void)run::load_project(file);
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

}  // namespace

BOOST_AUTO_TEST_SUITE(project)

BOOST_AUTO_TEST_CASE(a_project_file_is_read) {
  const Folder folder;
  const auto project = run::load_project(folder.project("b", kGood));
  BOOST_TEST(project.source_dir == "/src");
  BOOST_TEST(project.specs.at("gemm") == "/src/specs/gemm.json");
  BOOST_TEST(project.history == "/src/results/history.sqlite");
  BOOST_TEST(project.baselines == "/src/baselines");
  BOOST_TEST(project.have_cuda);
  BOOST_TEST(project.altered);
}

BOOST_AUTO_TEST_CASE(a_wrong_project_file_names_its_line) {
  const Folder folder;
  BOOST_TEST(problem_of(folder.project("a", "{\n\"version\": 2}")).find("project.json:2") != std::string::npos);
  BOOST_TEST(problem_of(folder.project("b", "{\"version\": 1}")).find("source_dir") != std::string::npos);
  std::string relative = kGood;
  relative.replace(relative.find("\"/src\""), 6, "\"src\"");
  BOOST_TEST(problem_of(folder.project("c", relative)).find("not an absolute path") != std::string::npos);
  BOOST_TEST(problem_of(folder.path / "none.json") != "no error");
}

BOOST_AUTO_TEST_CASE(the_named_file_wins_and_must_exist) {
  const Folder folder;
  const auto named = folder.project("named");
  folder.project("build");
  const run::SearchRoots roots{named.string(), folder.path / "build/bin/opgate", folder.path};
  BOOST_TEST(run::locate_project(roots).value() == named);
  BOOST_CHECK_EXCEPTION((void)run::locate_project({"/nowhere/project.json", {}, folder.path}), Error,
                        [](const Error& error) { return error.kind() == ErrorKind::io && !error.remedy().empty(); });
}

BOOST_AUTO_TEST_CASE(then_up_from_the_program_then_up_from_the_folder) {
  const Folder folder;
  const auto of_program = folder.project("one");
  const auto of_folder = folder.project("two");
  fs::create_directories(folder.path / "two/deep/er");
  BOOST_TEST(run::locate_project({"", folder.path / "one/bin/opgate", folder.path / "two/deep/er"}).value() ==
             of_program);
  BOOST_TEST(run::locate_project({"", "/usr/bin/opgate", folder.path / "two/deep/er"}).value() == of_folder);
}

BOOST_AUTO_TEST_CASE(the_only_build_below_the_folder_is_taken_and_two_are_not) {
  const Folder folder;
  const run::SearchRoots roots{"", "/usr/bin/opgate", folder.path};
  BOOST_TEST(!run::locate_project(roots).has_value());
  const auto only = folder.project("build/dev");
  BOOST_TEST(run::locate_project(roots).value() == only);
  folder.project("build/release");
  BOOST_TEST(!run::locate_project(roots).has_value());
}

// `opgate init` says `cmake -B build`, presets build in a folder of build/.
BOOST_AUTO_TEST_CASE(a_project_that_builds_in_build_itself_is_found_from_its_sources) {
  const Folder folder;
  const run::SearchRoots roots{"", "/usr/bin/opgate", folder.path};
  const auto only = folder.project("build");
  BOOST_TEST((run::locate_project(roots) == only));
  folder.project("build/release");
  BOOST_TEST(!run::locate_project(roots).has_value());
}

BOOST_AUTO_TEST_CASE(option_then_environment_then_project) {
  run::Project project;
  project.history = "/p/h.sqlite";
  project.baselines = "/p/b";
  ::unsetenv("OPGATE_HISTORY");
  ::unsetenv("OPGATE_BASELINES");
  BOOST_TEST(run::find_history("", project) == "/p/h.sqlite");
  BOOST_TEST(run::find_baselines("", project) == "/p/b");
  BOOST_TEST(!run::history_is_named(""));
  BOOST_CHECK_THROW((void)run::find_history("", std::nullopt), Error);
  BOOST_CHECK_THROW((void)run::find_baselines("", std::nullopt), Error);
  ::setenv("OPGATE_HISTORY", "/e/h.sqlite", 1);
  ::setenv("OPGATE_BASELINES", "/e/b", 1);
  BOOST_TEST(run::find_history("", project) == "/e/h.sqlite");
  BOOST_TEST(run::find_baselines("", project) == "/e/b");
  BOOST_TEST(run::history_is_named(""));
  BOOST_TEST(run::baselines_are_named(""));
  BOOST_TEST(run::find_history("/o/h", project) == "/o/h");
  BOOST_TEST(run::find_baselines("/o/b", project) == "/o/b");
  ::unsetenv("OPGATE_HISTORY");
  ::unsetenv("OPGATE_BASELINES");
}

BOOST_AUTO_TEST_SUITE_END()
