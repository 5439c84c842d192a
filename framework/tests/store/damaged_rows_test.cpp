// Rows that a checksum cannot refuse, because they were written that way.
#include <boost/crc.hpp>
#include <boost/test/unit_test.hpp>
#include <limits>

#include "store/column_codec.hpp"
#include "store/fixtures.hpp"
#include "store/history.hpp"
#include "store/sample_codec.hpp"

namespace opgate::store::test {
namespace {

namespace fs = std::filesystem;

struct Fixture {
  Fixture() {
    History history = History::open_for_writing(path);
    history.put_result(history.open_run(some_run()), full_result());
  }

  TemporaryFolder folder;
  fs::path path = folder / "history.sqlite";
};

std::string refusal_of_samples(const ByteWriter& body) {
  std::vector<std::byte> blob = body.bytes();
  boost::crc_32_type checksum;
  checksum.process_bytes(blob.data(), blob.size());
  for (unsigned i = 0; i < 4; ++i) {
    blob.push_back(static_cast<std::byte>(checksum.checksum() >> (8 * i)));
  }
  try {
    return std::to_string(decode_samples(blob).size()) + " samples";
  } catch (const Error& error) {
    return error.summary();
  }
}

ByteWriter head(std::uint8_t version, std::uint64_t count) {
  ByteWriter body;
  body.byte(version);
  body.varint(count);
  return body;
}

// One sample, column by column.
ByteWriter one_sample(std::uint8_t version, const std::vector<std::int64_t>& columns) {
  ByteWriter body = head(version, 1);
  for (const std::int64_t value : columns) {
    encode_column(std::vector<std::int64_t>{value}, body);
  }
  return body;
}

}  // namespace

BOOST_FIXTURE_TEST_SUITE(damaged_rows, Fixture)

BOOST_AUTO_TEST_CASE(a_row_that_another_names_and_that_is_gone_is_told) {
  for (const char* const what : {"device", "text", "identity"}) {
    const std::string table = what == std::string("identity") ? "identities" : what + std::string("s");
    execute(path, "CREATE TABLE saved AS SELECT * FROM " + table + "; DELETE FROM " + table);
    BOOST_TEST(refusal_of(path).find(std::string("the history is damaged: ") + what + " ") != std::string::npos,
               refusal_of(path));
    BOOST_TEST(refusal_of(path).find(path.string()) != std::string::npos, refusal_of(path));
    execute(path, "INSERT INTO " + table + " SELECT * FROM saved; DROP TABLE saved");
  }
  BOOST_TEST(refusal_of(path) == "1 results");
}

BOOST_AUTO_TEST_CASE(words_that_nothing_wrote_are_told) {
  const std::vector<std::pair<std::string, std::string>> damages{
      {"results SET exit_code = 99", "unknown exit code \"99\""},
      {"results SET exit_code = 1, metric = 'miles'", "unknown metric \"miles\""},
      {"results SET metric = 'time'; UPDATE attempts SET error = 'bad luck'", "unknown error kind \"bad luck\""},
      {"attempts SET error = NULL; UPDATE implementations SET protocol = 'guess'", "unknown protocol \"guess\""},
      {"implementations SET protocol = 'opgate-1', pass_medians_ns = '[\"a\"]'", "stored detail cannot be read"},
      {"implementations SET pass_medians_ns = '[]', imported = '[]'", "stored detail cannot be read"},
  };
  for (const auto& [change, said] : damages) {
    execute(path, "UPDATE " + change);
    BOOST_TEST(refusal_of(path).find(said) != std::string::npos, refusal_of(path));
  }
}

// Whole, with a checksum that fits, and of another implementation.
BOOST_AUTO_TEST_CASE(samples_of_another_are_refused) {
  {
    CaseResult result = full_result();
    result.identity.name = "slower";
    for (Sample& sample : result.attempts.front().implementations.front().measurement.samples) sample.busy_ns += 1;
    History history = History::open_for_writing(path);
    history.put_result(1, result);
  }
  const std::string slower =
      "(SELECT min(i.id) FROM implementations i JOIN attempts a ON a.id = i.attempt_id"
      " JOIN results r ON r.id = a.result_id JOIN cases c ON c.id = r.case_id WHERE c.name = 'slower')";
  BOOST_TEST(refusal_of(path) == "2 results");
  execute(path, "UPDATE samples SET content = (SELECT content FROM samples WHERE implementation_id = " + slower +
                    ") WHERE implementation_id = 1");
  BOOST_TEST(refusal_of(path).find("the history is damaged: samples 1 belong to another row") != std::string::npos,
             refusal_of(path));
}

BOOST_AUTO_TEST_CASE(samples_of_an_unknown_layout_are_refused) {
  BOOST_TEST(refusal_of_samples(head(9, 0)) == "the stored samples are damaged: layout 9 is unknown");
  BOOST_TEST(refusal_of_samples(head(2, 0)) == "0 samples");
}

BOOST_AUTO_TEST_CASE(a_count_that_nothing_backs_is_refused_before_it_takes_memory) {
  BOOST_TEST(refusal_of_samples(head(2, 1U << 25U)) == "the stored samples are damaged: an impossible count");
  ByteWriter endless;
  endless.byte(2);
  for (int i = 0; i < 12; ++i) endless.byte(0x80);
  BOOST_TEST(refusal_of_samples(endless) == "the stored samples are damaged: an impossible count");
  BOOST_TEST(refusal_of_samples(head(2, 3)) == "the stored samples are damaged: a column ends early");
}

BOOST_AUTO_TEST_CASE(bytes_behind_the_last_column_are_refused) {
  ByteWriter body = one_sample(2, {1700, 0, 0, 2, 1981, 0, 0, 0});
  BOOST_TEST(refusal_of_samples(body) == "1 samples");
  body.byte(0);
  BOOST_TEST(refusal_of_samples(body) == "the stored samples are damaged: bytes are left over");
}

BOOST_AUTO_TEST_CASE(samples_of_before_the_work_was_kept_are_read) {
  BOOST_TEST(refusal_of_samples(one_sample(1, {1700, 0, 0, 2, 1981, 0})) == "1 samples");
}

BOOST_AUTO_TEST_CASE(numbers_beyond_their_type_are_refused) {
  constexpr std::int64_t kHigh = std::numeric_limits<std::int32_t>::max();
  constexpr std::int64_t kLow = std::numeric_limits<std::int32_t>::min();
  for (const std::int64_t code : {kHigh + 2, kLow - 1}) {
    BOOST_TEST(refusal_of_samples(one_sample(2, {1700, 0, 0, code, 0, 0, 0, 0})) ==
               "the stored samples are damaged: a number out of range");
  }
  for (const std::int64_t group : {std::int64_t{-1}, std::int64_t{1} << 32U}) {
    BOOST_TEST(refusal_of_samples(one_sample(2, {1700, 0, 0, 2, 0, group, 0, 0})) ==
               "the stored samples are damaged: a group out of range");
  }
  BOOST_TEST(refusal_of_samples(one_sample(2, {1700, 0, 0, kHigh + 1, kLow, 0xffff'ffff, 0, 0})) == "1 samples");
}

BOOST_AUTO_TEST_CASE(integers_have_64_bits_and_no_more) {
  const auto read = [](std::size_t full, unsigned last) {
    std::vector<std::byte> bytes(full, std::byte{0xff});
    bytes.push_back(static_cast<std::byte>(last));
    ByteReader reader(bytes);
    const std::uint64_t value = reader.varint();
    return reader.failed() ? std::optional<std::uint64_t>() : value;
  };
  BOOST_TEST(read(9, 1).value() == std::numeric_limits<std::uint64_t>::max());
  BOOST_TEST(!read(9, 2).has_value());
  BOOST_TEST(!read(10, 0).has_value());
  std::vector<std::byte> zeros(11, std::byte{0x80});
  ByteReader reader(zeros);
  BOOST_TEST(reader.varint() == 0U);
  BOOST_TEST(reader.failed());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace opgate::store::test
