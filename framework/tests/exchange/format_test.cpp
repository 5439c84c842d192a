#include "exchange/format.hpp"

#include <boost/test/unit_test.hpp>

#include "text/file.hpp"

using namespace opgate;
using exchange::Format;
using exchange::recognise;

BOOST_AUTO_TEST_SUITE(format)

BOOST_AUTO_TEST_CASE(the_content_tells) {
  const auto data = [](const char* name) {
    return text::read_file(std::string(OPGATE_TEST_DATA) + "/imports/" + name, ErrorKind::io);
  };
  BOOST_TEST((recognise(data("junit.xml")) == Format::junit));
  BOOST_TEST((recognise(data("google_benchmark.json")) == Format::google_benchmark));
  BOOST_TEST((recognise(data("nvbench.json")) == Format::nvbench));
  BOOST_TEST((recognise("run,case,iteration,busy_ns,latency_ns,n_kernels,sm_mhz\n") == Format::csv));
  BOOST_TEST((recognise("\xef\xbb\xbf\r\n <testsuite/>") == Format::junit));
  BOOST_TEST((recognise(std::string("SQLite format 3\0....", 20)) == Format::history));
  for (const char* other : {"", "hello", "{}", "[1]", "{\"benchmarks\": []}", "a,b\n", "%PDF-1.4", "\x1f\x8b"}) {
    BOOST_TEST_CONTEXT(other) BOOST_TEST(!recognise(other).has_value());
  }
}

BOOST_AUTO_TEST_CASE(every_format_can_be_named) {
  for (const std::string& name : exchange::format_names()) {
    BOOST_TEST(exchange::to_string(exchange::parse_format(name).value()) == name);
  }
  BOOST_TEST(!exchange::parse_format("xlsx").has_value());
}

BOOST_AUTO_TEST_SUITE_END()
