#include "collect/buffer_pool.hpp"

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cstring>
#include <thread>

#include "opgate/error.hpp"

using opgate::collect::BufferPool;

namespace {

bool all_zero(const std::uint8_t* memory, std::size_t size) {
  return std::all_of(memory, memory + size, [](std::uint8_t byte) { return byte == 0; });
}

}  // namespace

BOOST_AUTO_TEST_SUITE(buffer_pool)

BOOST_AUTO_TEST_CASE(sizes_are_honoured_however_small) {
  BufferPool pool;
  for (const std::size_t wanted : {std::size_t{8}, std::size_t{1000}, std::size_t{1} << 20U}) {
    pool.set_size(wanted);
    std::size_t size = 0;
    std::uint8_t* const memory = pool.request(size);
    BOOST_REQUIRE(memory != nullptr);
    BOOST_TEST(size == wanted);
    BOOST_TEST(reinterpret_cast<std::uintptr_t>(memory) % 8 == 0U);
    pool.complete(memory, size, 0);
  }
}

BOOST_AUTO_TEST_CASE(used_buffers_are_zero_when_they_are_handed_out_again) {
  BufferPool pool;
  pool.set_size(4096);
  for (int round = 0; round < 40; ++round) {
    const bool in_phase = round % 2 == 0;
    if (in_phase) pool.open();
    std::size_t size = 0;
    std::uint8_t* const memory = pool.request(size);
    BOOST_TEST(all_zero(memory, size));
    std::memset(memory, 0xff, size);
    pool.complete(memory, size, size);
    if (in_phase) pool.recycle(pool.close());
  }
}

BOOST_AUTO_TEST_CASE(a_phase_gets_its_own_buffers_in_the_order_of_completion) {
  BufferPool pool;
  pool.set_size(64);
  std::size_t size = 0;
  std::uint8_t* const before = pool.request(size);
  pool.complete(before, size, 24);
  pool.open();
  std::uint8_t* const first = pool.request(size);
  std::uint8_t* const second = pool.request(size);
  std::uint8_t* const empty = pool.request(size);
  std::thread([&] { pool.complete(second, 64, 16); }).join();
  pool.complete(empty, 64, 0);
  pool.complete(first, 64, 8);
  const auto buffers = pool.close();
  BOOST_REQUIRE(buffers.size() == 2U);
  BOOST_TEST(buffers[0].memory.get() == second);
  BOOST_TEST(buffers[0].valid == 16U);
  BOOST_TEST(buffers[1].memory.get() == first);
  BOOST_TEST(pool.close().empty());
}

BOOST_AUTO_TEST_CASE(a_request_that_memory_cannot_meet_is_declined) {
  BufferPool pool;
  BOOST_CHECK_THROW(pool.set_size(std::size_t{1} << 60U), opgate::Error);
  std::size_t size = 1;
  BOOST_TEST(pool.request(size) == nullptr);
  BOOST_TEST(size == 0U);
}

BOOST_AUTO_TEST_SUITE_END()
