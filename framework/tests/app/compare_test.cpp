#include <boost/test/unit_test.hpp>

#include "app/desk.hpp"

using namespace opgate::tests;

namespace {

nlohmann::json row_of(const Said& said, const std::string& name) {
  for (const nlohmann::json& line : said.lines()) {
    if (line.at("case") == name) return line;
  }
  return {{"outcome", "no row"}};
}

struct Fixture : Desk {
  Fixture() {
    import(kHeader + samples(1, "steady", 20'000) + samples(1, "worse", 20'000) + samples(1, "better", 20'000) +
           samples(1, "gone", 20'000) + samples(2, "steady", 20'020) + samples(2, "worse", 22'000) +
           samples(2, "better", 18'000) + samples(2, "new", 20'000));
  }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(compare, Fixture)

BOOST_AUTO_TEST_CASE(each_case_of_either_run_is_told) {
  const Said said = run({"compare", "1", "2", "--json"});
  BOOST_TEST(said.code == 0);
  BOOST_TEST(said.lines().size() == 5U);
  BOOST_TEST(row_of(said, "steady").at("outcome") == "same");
  BOOST_TEST(row_of(said, "gone").at("outcome") == "only-in-a");
  BOOST_TEST(row_of(said, "new").at("outcome") == "only-in-b");
  const auto worse = row_of(said, "worse");
  BOOST_TEST(worse.at("outcome") == "slower");
  BOOST_TEST(worse.at("change_pct").get<double>() == 10.0, boost::test_tools::tolerance(1e-3));
  BOOST_TEST(worse.at("limit_pct").get<double>() == 1.0, boost::test_tools::tolerance(1e-9));
  BOOST_TEST(worse.at("a_run") == 1);
  BOOST_TEST(worse.at("b_run") == 2);
  BOOST_TEST(row_of(said, "better").at("outcome") == "faster");
}

BOOST_AUTO_TEST_CASE(the_other_way_round_the_signs_turn) {
  const Said said = run({"compare", "last", "1", "--json"});
  BOOST_TEST(row_of(said, "worse").at("outcome") == "faster");
  BOOST_TEST(row_of(said, "better").at("outcome") == "slower");
}

BOOST_AUTO_TEST_CASE(the_table_may_leave_out_what_is_the_same) {
  const Said all = run({"compare", "1", "2"});
  BOOST_TEST(all.out.find("steady") != std::string::npos, all.out);
  BOOST_TEST(all.out.find("no verdict") != std::string::npos, all.out);
  const Said changed = run({"compare", "1", "2", "--changed"});
  BOOST_TEST(changed.out.find("steady") == std::string::npos, changed.out);
  BOOST_TEST(changed.out.find("worse") != std::string::npos, changed.out);
  BOOST_TEST(run({"compare", "1", "2", "--filter", "^wor", "--json"}).lines().size() == 1U);
}

BOOST_AUTO_TEST_CASE(readings_of_other_inputs_are_not_compared) {
  {
    auto history = this->history();
    auto result = stored_result("steady", 20'000);
    result.identity.dimensions = {{"n", 7}};
    history.put_result(history.open_run({}), result);
  }
  const auto row = row_of(run({"compare", "1", "3", "--json"}), "steady");
  BOOST_TEST(row.at("outcome") == "not-comparable");
  BOOST_TEST(!row.at("reason").get<std::string>().empty());
  BOOST_TEST(row.at("change_pct").is_null());
}

BOOST_AUTO_TEST_CASE(a_run_that_is_not_there_is_an_error) {
  BOOST_TEST(run({"compare", "1", "77"}).code == 3);
  BOOST_TEST(run({"compare", "1", "x"}).code == 64);
  BOOST_TEST(run({"compare", "1"}).code == 64);
}

BOOST_AUTO_TEST_SUITE_END()
