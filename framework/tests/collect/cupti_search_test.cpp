#include "collect/cupti_search.hpp"

#include <unistd.h>

#include <boost/test/unit_test.hpp>
#include <fstream>
#include <map>

#include "opgate/error.hpp"
#ifdef OPGATE_HAVE_CUPTI
#include "collect/cupti_library.hpp"
#endif

namespace fs = std::filesystem;
using opgate::collect::CuptiSearch;
using opgate::collect::load_cupti;

namespace {

constexpr const char* kName = "libopgate-none.so.13";  // in no place where the loader looks

struct Folder {
  fs::path path;
  Folder() {
    std::string pattern = (fs::temp_directory_path() / "opgate-cupti-XXXXXX").string();
    BOOST_REQUIRE(::mkdtemp(pattern.data()) != nullptr);
    path = pattern;
  }
  ~Folder() { fs::remove_all(path); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
};

std::function<const char*(const char*)> variables(const std::map<std::string, std::string>& values) {
  return [&values](const char* name) -> const char* {
    const auto found = values.find(name);
    return found == values.end() ? nullptr : found->second.c_str();
  };
}

std::string refusal(const CuptiSearch& search) {
  try {
    static_cast<void>(load_cupti(search));
  } catch (const opgate::Error& error) {
    BOOST_TEST((error.kind() == opgate::ErrorKind::cupti));
    return error.what();
  }
  return {};
}

bool holds(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(cupti_search)

BOOST_AUTO_TEST_CASE(the_users_folders_come_first_then_the_toolkit_of_the_build) {
  const std::map<std::string, std::string> set{{"LD_LIBRARY_PATH", "/a::/b"}, {"CUDA_HOME", "/h"}, {"CUDA_PATH", ""}};
  const CuptiSearch search = opgate::collect::cupti_search("libcupti.so.13", "/built", variables(set));
  const std::vector<fs::path> wanted{"/a",
                                     "/b",
                                     "/built",
                                     "/h/lib64",
                                     "/h/lib",
                                     "/h/extras/CUPTI/lib64",
                                     "/usr/local/cuda/lib64",
                                     "/usr/local/cuda/lib",
                                     "/usr/local/cuda/extras/CUPTI/lib64"};
  BOOST_TEST((search.folders == wanted));
  BOOST_TEST(search.chosen.empty());
}

BOOST_AUTO_TEST_CASE(the_message_names_the_library_and_every_place) {
  const std::string said = refusal({kName, "", {"/nowhere/lib64", "/else/where"}});
  BOOST_TEST(
      holds(said, std::string(kName) + " cannot be loaded: it was looked for in /nowhere/lib64, /else/where, and by"));
  BOOST_TEST(holds(said, "No such file"));
  BOOST_TEST(holds(said, "\n  fix: install CUPTI"));
}

BOOST_AUTO_TEST_CASE(a_file_that_is_no_library_is_told_and_the_search_goes_on) {
  const Folder broken;
  const Folder good;
  std::ofstream(broken.path / kName) << "no library";
  BOOST_TEST(holds(refusal({kName, "", {broken.path}}), broken.path.string() + " (is there, but: "));
  fs::copy_file(OPGATE_ANY_LIBRARY, good.path / kName);
  BOOST_TEST(load_cupti({kName, "", {broken.path, good.path}}).path == (good.path / kName).string());
}

BOOST_AUTO_TEST_CASE(the_file_that_the_user_chose_is_the_only_one_tried) {
  const Folder good;
  fs::copy_file(OPGATE_ANY_LIBRARY, good.path / kName);
  const std::string said = refusal({kName, "/nowhere/libmine.so", {good.path}});
  BOOST_TEST(holds(said, "OPGATE_CUPTI_LIBRARY: CUPTI cannot be loaded: /nowhere/libmine.so"));
  BOOST_TEST(load_cupti({"libnone.so", (good.path / kName).string(), {}}).path == (good.path / kName).string());
}

#ifdef OPGATE_HAVE_CUPTI
BOOST_AUTO_TEST_CASE(this_build_finds_the_cupti_of_its_toolkit) {
  BOOST_TEST(holds(opgate::collect::cupti_path(), "libcupti.so."));
}
#endif

BOOST_AUTO_TEST_SUITE_END()
