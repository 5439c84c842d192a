#include "app/progress.hpp"

#include <boost/test/unit_test.hpp>
#include <sstream>

#include "app/desk.hpp"
#include "app/on_terminal.hpp"

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

BOOST_AUTO_TEST_CASE(a_total_that_was_too_small_grows) {
  std::ostringstream shown;
  app::Progress progress(shown, true, 80, "bisect", 1);
  progress.next("a");
  progress.next("b");
  BOOST_TEST(shown.str().find("bisect 1/1 a") != std::string::npos);
  BOOST_TEST(shown.str().find("bisect 2/2 b") != std::string::npos);
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

BOOST_AUTO_TEST_CASE(an_import_tells_a_terminal_how_far_it_is) {
  const tests::Desk desk;
  desk.write("runs.csv", tests::kHeader + tests::steady_runs(1, 3, "add.a.f32", 20'000));
  const std::string folder = desk.at("").string();
  const std::vector<std::string> words{"import", "runs.csv", "--history"};
  const auto into = [&](const char* history) {
    std::vector<std::string> all = words;
    all.emplace_back(history);
    return all;
  };
  const std::string said = tests::on_terminal(into("a.sqlite"), folder);
  BOOST_TEST(said.find("\r\x1b[Kread 1/1 runs.csv") != std::string::npos);
  BOOST_TEST(said.find("\r\x1b[Kimport 3/3 run 3 of runs.csv") != std::string::npos);
  BOOST_TEST(said.find("\r\x1b[Kimported 3 runs") != std::string::npos);  // the line is gone before that
  BOOST_TEST(tests::on_terminal(into("b.sqlite"), folder, true).find("import 3/3") == std::string::npos);
  const std::string merged = tests::on_terminal({"import", "a.sqlite", "--history", "c.sqlite"}, folder);
  BOOST_TEST(merged.find("import 2/3 run 2 of a.sqlite") != std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()
