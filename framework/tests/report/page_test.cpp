#include <boost/test/unit_test.hpp>

#include <zlib.h>
#include <cstdint>
#include <nlohmann/json.hpp>

#include "opgate/error.hpp"
#include "report/page.hpp"
#include "report/page_pack.hpp"
#include "report/report_samples.hpp"
#include "report/samples.hpp"

namespace opgate::report::test {
namespace {

std::string unpacked(const std::string& packed) {
  z_stream stream{};
  BOOST_REQUIRE(inflateInit2(&stream, 15 + 16) == Z_OK);
  std::string bytes(1 << 20, '\0');
  std::string in = packed;
  stream.next_in = reinterpret_cast<Bytef*>(in.data());
  stream.avail_in = static_cast<uInt>(in.size());
  stream.next_out = reinterpret_cast<Bytef*>(bytes.data());
  stream.avail_out = static_cast<uInt>(bytes.size());
  BOOST_TEST(inflate(&stream, Z_FINISH) == Z_STREAM_END);
  bytes.resize(stream.total_out);
  inflateEnd(&stream);
  return bytes;
}

nlohmann::json json_in(const std::string& data) {
  std::size_t length = 0;
  for (std::size_t i = 0; i < 4; ++i) length |= std::size_t{static_cast<unsigned char>(data[i])} << (8 * i);
  return nlohmann::json::parse(data.substr(4, length));
}

const nlohmann::json& case_of(const nlohmann::json& page, const std::string& name) {
  for (const auto& one : page["cases"]) {
    if (one["name"] == name) return one;
  }
  BOOST_FAIL(name);
  return page;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(page)

BOOST_AUTO_TEST_CASE(columns_are_differences) {
  ColumnWriter integers;
  integers.integers({5, 3, std::nullopt, 3, 200});
  // 5: zigzag 10, plus 1. 3: -2, zigzag 3. None: 0. 3: 0, zigzag 0. 200: 197, zigzag 394, 395 = 0x8b 0x03.
  BOOST_TEST(integers.bytes() == std::string("\x0b\x04\x00\x01\x8b\x03", 6));
  ColumnWriter halves;
  halves.numbers({1.5, 2.0});
  BOOST_TEST(halves.bytes() == std::string("\x02\x07\x03", 3));
  ColumnWriter doubles;
  doubles.numbers({0.1, std::nullopt});
  BOOST_TEST(doubles.size() == 17U);
  BOOST_TEST(doubles.bytes()[0] == 8);
}

BOOST_AUTO_TEST_CASE(packs_without_loss) {
  std::string bytes;
  for (int i = 0; i < 5000; ++i) bytes.push_back(static_cast<char>(i * i % 251));
  BOOST_TEST(unpacked(gzip(bytes)) == bytes);
  BOOST_TEST(base64("") == "");
  BOOST_TEST(base64("f") == "Zg==");
  BOOST_TEST(base64("fo") == "Zm8=");
  BOOST_TEST(base64("foo\xff") == "Zm9v/w==");
}

BOOST_AUTO_TEST_CASE(holds_every_case_and_no_number_that_cannot_be_trusted) {
  const nlohmann::json page = json_in(page_data(everything_report()));
  BOOST_TEST(page["cases"].size() == 17U);
  for (const char* name : {"g.wrong", "h.lost", "i.failed", "j.never", "k.skipped", "n.missing"}) {
    const nlohmann::json one = case_of(page, name);
    BOOST_TEST(one["figures"].is_null(), name);
    BOOST_TEST(one["judgement"].is_null(), name);
    BOOST_TEST(one["implementations"].empty(), name);
  }
  const nlohmann::json regressed = case_of(page, "b.regressed");
  BOOST_TEST(regressed["trend"]["count"] == 24);
  BOOST_TEST(regressed["trend"]["series"][0]["changes"].size() == 1U);
  BOOST_TEST(regressed["implementations"].size() == 2U);
  BOOST_TEST(regressed["implementations"][0]["samples"]["count"] == 200);
  BOOST_TEST(case_of(page, "o.replayed")["remarks"][0] == "replayed, NOT MEASURED");
  BOOST_TEST(page["runs"].size() == 24U);
}

BOOST_AUTO_TEST_CASE(names_the_processes_of_a_reading) {
  Report report = everything_report();
  for (ReportCase& one : report.cases) {
    for (core::Attempt& attempt : one.result.attempts) attempt.processes = 4;
  }
  BOOST_TEST(case_of(json_in(page_data(report)), "b.regressed")["method"]["processes"] == 4);
}

BOOST_AUTO_TEST_CASE(the_page_opens_with_the_report_in_it_or_says_what_is_missing) {
  if (page_template().empty()) {
    BOOST_CHECK_EXCEPTION((void)html(hostile_report()), Error, [](const Error& error) {
      const std::string text = error.what();
      return text.find("Node.js") != std::string::npos && text.find("--format md") != std::string::npos;
    });
    return;
  }
  const std::string text = html(hostile_report());
  BOOST_TEST(text.find("@OPGATE_DATA@") == std::string::npos);
  BOOST_TEST(text.find(base64(gzip(page_data(hostile_report())))) != std::string::npos);
  BOOST_TEST(text.find("onerror=alert(1)") == std::string::npos);
  BOOST_TEST(text.find("default-src 'none'") != std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace opgate::report::test
