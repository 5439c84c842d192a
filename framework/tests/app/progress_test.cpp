#include "app/progress.hpp"

#include <boost/test/unit_test.hpp>
#include <sstream>

using namespace opgate;
using std::chrono::seconds;

BOOST_AUTO_TEST_SUITE(progress)

BOOST_AUTO_TEST_CASE(a_line_says_phase_count_name_and_time_left) {
  BOOST_TEST(app::progress_line("measure", 1, 12, "gemm.a.f32", seconds(0), 80) == "measure 1/12 gemm.a.f32");
  BOOST_TEST(app::progress_line("measure", 5, 12, "gemm.a.f32", seconds(20), 80) ==
             "measure 5/12 gemm.a.f32, about 40 s left");
  BOOST_TEST(app::progress_line("settle", 2, 100, "x", seconds(10), 80) == "settle 2/100 x, about 17 min left");
}

BOOST_AUTO_TEST_CASE(no_line_is_wider_than_the_terminal) {
  for (std::size_t width = 1; width < 90; ++width) {
    const std::string line = app::progress_line("measure", 5, 12, "gemm.a-very-long-name.bf16", seconds(20), width);
    BOOST_TEST(line.size() <= width);
  }
  BOOST_TEST(app::progress_line("measure", 5, 12, "gemm.a-very-long-name.bf16", seconds(20), 44) ==
             "measure 5/12 gemm.a-very..., about 40 s left");
}

BOOST_AUTO_TEST_CASE(it_is_silent_where_nobody_looks_and_gone_at_the_end) {
  std::ostringstream quiet, shown;
  {
    app::Progress progress(quiet, false, 80, "measure", 2);
    progress.next("a");
  }
  BOOST_TEST(quiet.str().empty());
  {
    app::Progress progress(shown, true, 80, "measure", 2);
    progress.next("a");
  }
  BOOST_TEST(shown.str().find("measure 1/2 a") != std::string::npos);
  BOOST_TEST(shown.str().ends_with("\r\x1b[K"));
}

BOOST_AUTO_TEST_SUITE_END()
