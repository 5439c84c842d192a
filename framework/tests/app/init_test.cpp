#include <boost/test/unit_test.hpp>
#include <filesystem>

#include "app/desk.hpp"
#include "app/new_project.hpp"
#include "spec/spec.hpp"
#include "text/file.hpp"

namespace fs = std::filesystem;
using opgate::ErrorKind;
using opgate::tests::Desk;
using opgate::tests::Said;

namespace {

bool holds(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

std::string read(const fs::path& file) {
  return opgate::text::read_file(file, ErrorKind::io);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(init)

BOOST_AUTO_TEST_CASE(writes_a_project_whose_spec_loads_strictly) {
  const Desk desk;
  const Said said = desk.bare({"init", desk.at("my ops").string(), "--op", "twice"});
  BOOST_REQUIRE_MESSAGE(said.code == 0, said.err);
  BOOST_TEST(holds(said.out, "next:\n  cmake -S "));
  const auto cases = opgate::spec::expand(opgate::spec::load_spec(desk.at("my ops/specs/twice.json")));
  BOOST_REQUIRE(cases.size() == 2U);
  BOOST_TEST(cases[0].workload.case_name() == "twice.small.f32");
  BOOST_TEST(holds(read(desk.at("my ops/CMakeLists.txt")), "project(my_ops LANGUAGES CXX)"));
  BOOST_TEST(holds(read(desk.at("my ops/CMakeLists.txt")), "opgate_add_op(twice SOURCES ops/twice.cu)"));
  BOOST_TEST(holds(read(desk.at("my ops/ops/twice.cu")), "OPGATE_REFERENCE(twice, "));
  for (const auto& file : opgate::app::new_project("p", "twice")) BOOST_TEST(!holds(file.content, "@"));
}

BOOST_AUTO_TEST_CASE(overwrites_nothing_and_then_writes_nothing) {
  for (const std::string& name : {std::string("CMakeLists.txt"), std::string("specs/scale.json")}) {
    const Desk desk;
    fs::create_directories(desk.at("p/specs"));
    desk.write("p/" + name, "mine");
    const Said said = desk.bare({"init", desk.at("p").string()});
    BOOST_TEST(said.code == 3);
    BOOST_TEST(holds(said.err, "there is already " + name + "; nothing was written\n  fix: name a new folder"));
    BOOST_TEST(read(desk.at("p/" + name)) == "mine");
    BOOST_TEST(!fs::exists(desk.at("p/ops")));
  }
}

BOOST_AUTO_TEST_CASE(a_link_that_leads_nowhere_is_not_written_through) {
  const Desk desk;
  fs::create_directories(desk.at("p"));
  fs::create_symlink(desk.at("elsewhere"), desk.at("p/CMakeLists.txt"));
  BOOST_TEST(desk.bare({"init", desk.at("p").string()}).code == 3);
  BOOST_TEST(!fs::exists(desk.at("elsewhere")));
}

BOOST_AUTO_TEST_CASE(a_gitignore_that_is_there_is_kept) {
  const Desk desk;
  fs::create_directories(desk.at("p"));
  desk.write("p/.gitignore", "mine");
  const Said said = desk.bare({"init", desk.at("p").string(), "--json"});
  BOOST_REQUIRE_MESSAGE(said.code == 0, said.err);
  BOOST_TEST(read(desk.at("p/.gitignore")) == "mine");
  BOOST_TEST(said.lines().back()["written"] == false);
  BOOST_TEST(said.lines().front()["written"] == true);
}

BOOST_AUTO_TEST_CASE(a_name_that_cannot_be_an_op_is_usage) {
  const Desk desk;
  for (const char* op : {"Scale", "", "../x", "moe_gate"}) {
    const Said said = desk.bare({"init", desk.at("p").string(), "--op", op});
    BOOST_TEST(said.code == 64);
    BOOST_TEST(holds(said.err, "fix:"));
    BOOST_TEST(!fs::exists(desk.at("p")));
  }
}

BOOST_AUTO_TEST_CASE(a_folder_that_cannot_be_made_is_named) {
  const Desk desk;
  desk.write("file", "");
  const Said said = desk.bare({"init", desk.at("file/p").string()});
  BOOST_TEST(said.code == 3);
  BOOST_TEST(holds(said.err, "fix: "));
}

BOOST_AUTO_TEST_CASE(folders_make_names_that_cmake_takes) {
  BOOST_TEST(opgate::app::project_name("/a/my-ops") == "my-ops");
  BOOST_TEST(opgate::app::project_name("/a/3 ops") == "gated_3_ops");
  BOOST_TEST(opgate::app::project_name("/a/opgate") == "gated_opgate");
  BOOST_TEST(opgate::app::project_name("/") == "gated_");
}

BOOST_AUTO_TEST_SUITE_END()
