#include "collect/record_table.hpp"

#include <boost/test/unit_test.hpp>

using opgate::collect::RecordTable;
using opgate::core::KernelInfo;
using opgate::core::PhaseRecords;

BOOST_AUTO_TEST_SUITE(record_table)

BOOST_AUTO_TEST_CASE(indices_follow_first_appearance) {
  RecordTable table;
  BOOST_TEST(table.name("cuLaunchKernel") == 0U);
  BOOST_TEST(table.name("cudaMemcpyAsync") == 1U);
  BOOST_TEST(table.name("cuLaunchKernel") == 0U);
  PhaseRecords records;
  table.release_into(records);
  BOOST_TEST(records.names == (std::vector<std::string>{"cuLaunchKernel", "cudaMemcpyAsync"}),
             boost::test_tools::per_element());
  BOOST_TEST(table.name("next phase") == 0U);
}

BOOST_AUTO_TEST_CASE(a_kernel_is_its_name_and_its_launch_shape) {
  RecordTable table;
  const KernelInfo base{"add", {4, 1, 1}, {256, 1, 1}, 32, 0, 0};
  BOOST_TEST(table.kernel(base.name, base) == 0U);
  std::vector<KernelInfo> others(6, base);
  others[0].name = "sub";
  others[1].grid[2] = 2;
  others[2].block[0] = 128;
  others[3].registers = 33;
  others[4].static_shared_bytes = 8;
  others[5].dynamic_shared_bytes = 8;
  for (std::size_t i = 0; i < others.size(); ++i) BOOST_TEST(table.kernel(others[i].name, others[i]) == i + 1);
  BOOST_TEST(table.kernel(base.name, base) == 0U);
  PhaseRecords records;
  table.release_into(records);
  BOOST_TEST(records.kernels.size() == 7U);
  BOOST_TEST((records.kernels[5] == others[4]));
}

BOOST_AUTO_TEST_CASE(an_id_is_looked_up_once_and_shares_the_index_of_its_name) {
  RecordTable table;
  int asked = 0;
  const auto launch = [&asked] {
    ++asked;
    return std::string("cuLaunchKernel");
  };
  BOOST_TEST(table.name("cudaMemcpyAsync") == 0U);
  BOOST_TEST(table.name_of(307, launch) == 1U);
  BOOST_TEST(table.name_of(307, launch) == 1U);
  BOOST_TEST(asked == 1);
  BOOST_TEST(table.name("cuLaunchKernel") == 1U);
  BOOST_TEST(table.name_of(308, [] { return std::string("cuLaunchKernel"); }) == 1U);
  PhaseRecords records;
  table.release_into(records);
  BOOST_TEST(records.names.size() == 2U);
  BOOST_TEST(table.name_of(307, launch) == 0U);  // of the next phase
  BOOST_TEST(asked == 2);
}

BOOST_AUTO_TEST_SUITE_END()
