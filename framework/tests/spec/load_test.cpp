// Every good and bad file of the data folder. schema_agreement.py feeds the same files to the schema.
#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <set>
#include <string>

#include "opgate/error.hpp"
#include "spec/spec.hpp"
#include "text/file.hpp"
#include "text/json.hpp"

using opgate::Error;
using opgate::ErrorKind;

namespace fs = std::filesystem;

namespace {

const fs::path kData = fs::path(OPGATE_TEST_DATA) / "specs";
constexpr const char* kManifest = "manifest.json";

std::set<fs::path> files_in(const fs::path& folder) {
  std::set<fs::path> files;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.path().filename() != kManifest) files.insert(entry.path());
  }
  return files;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(load)

BOOST_AUTO_TEST_CASE(good_files_load) {
  const auto files = files_in(kData / "good");
  BOOST_TEST(!files.empty());
  for (const fs::path& path : files) {
    const opgate::spec::Spec spec = opgate::spec::load_spec(path);
    BOOST_TEST(spec.op == path.stem().string());
    BOOST_TEST(opgate::spec::expand(spec).size() == spec.workloads.size() * spec.dtypes.size());
  }
}

BOOST_AUTO_TEST_CASE(the_specs_of_our_ops_load) {
  for (const fs::path& path : files_in(fs::path(OPGATE_SOURCE_DIR) / "specs")) {
    if (path.extension() != ".json" || path.filename() == "op.schema.json") continue;
    BOOST_TEST(opgate::spec::load_spec(path).op == path.stem().string());
  }
}

BOOST_AUTO_TEST_CASE(bad_files_are_refused_with_file_line_and_fix) {
  const fs::path manifest = kData / "bad" / kManifest;
  const auto expected =
      opgate::text::parse_json(opgate::text::read_file(manifest, ErrorKind::io), manifest.string(), ErrorKind::io);
  BOOST_TEST(files_in(kData / "bad").size() == expected.as_object().size());
  for (const auto& [name, fault] : expected.as_object()) {
    const fs::path path = kData / "bad" / name;
    std::string message = "accepted";
    try {
      static_cast<void>(opgate::spec::load_spec(path));
    } catch (const Error& error) {
      message = error.what();
      BOOST_TEST((error.kind() == ErrorKind::spec), name);
    }
    const std::string place = path.string() + ":" + std::to_string(fault.at("line").as_integer()) + ": ";
    BOOST_TEST(message.starts_with(place), "expected " << place << " in " << message);
    BOOST_TEST(message.find(fault.at("error").as_string()) != std::string::npos,
               name << ": expected " << fault.at("error").as_string() << " in " << message);
    BOOST_TEST(message.find("\n  fix: ") != std::string::npos, name << ": no fix in " << message);
  }
}

BOOST_AUTO_TEST_CASE(a_missing_file_is_an_error_of_the_spec) {
  BOOST_CHECK_EXCEPTION(static_cast<void>(opgate::spec::load_spec(kData / "none.json")), Error, [](const Error& error) {
    return error.kind() == ErrorKind::spec && error.where() == (kData / "none.json").string();
  });
}

BOOST_AUTO_TEST_CASE(every_truncation_is_refused) {
  const fs::path path = kData / "good" / "complete.json";
  const std::string whole = opgate::text::read_file(path, ErrorKind::io);
  const std::size_t last = whole.rfind('}');
  for (std::size_t size = 0; size <= last; ++size) {
    BOOST_CHECK_THROW(static_cast<void>(opgate::spec::parse_spec(whole.substr(0, size), path)), Error);
  }
  BOOST_CHECK_NO_THROW(static_cast<void>(opgate::spec::parse_spec(whole.substr(0, last + 1), path)));
}

BOOST_AUTO_TEST_CASE(the_number_of_cases_is_bounded) {
  std::string text =
      R"({"op": "many", "inputs": {}, "outputs": {"y": "f32[n]"}, "dtypes": ["f64", "f32", "f16", "bf16", "i64", "i32", "i8", "u8"], "workloads": [)";
  for (int i = 0; i < 125'001; ++i) {
    text += (i == 0 ? "\n" : ",\n") + std::string("{\"name\": \"w") + std::to_string(i) + "\", \"n\": 1}";
  }
  BOOST_CHECK_EXCEPTION(
      static_cast<void>(opgate::spec::parse_spec(text + "]}", "many.json")), Error,
      [](const Error& error) { return error.summary() == "125001 workloads in 8 dtypes are more than 1000000 cases"; });
}

BOOST_AUTO_TEST_SUITE_END()
