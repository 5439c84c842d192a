#include "store/sample_codec.hpp"

#include <fmt/format.h>

#include <limits>
#include <optional>

#include "store/column_codec.hpp"
#include "store/crc32.hpp"

namespace opgate::store {
namespace {

constexpr std::uint8_t kVersion = 2;
constexpr std::uint8_t kWithoutWork = 1;  // still read
constexpr std::size_t kChecksumBytes = 4;
// Run lengths let a few bytes claim any number of samples; no measurement comes near this one.
constexpr std::size_t kMostSamples = 1U << 24U;

[[noreturn]] void damaged(const std::string& how) {
  throw Error(ErrorKind::history, "the stored samples are damaged: " + how, {},
              "restore a copy made by `opgate backup`");
}

// 0 stands for absent, so values from 0 up move up by one.
std::int64_t pack(const std::optional<std::int32_t>& value) {
  return !value ? 0 : *value >= 0 ? static_cast<std::int64_t>(*value) + 1 : static_cast<std::int64_t>(*value);
}

std::optional<std::int32_t> unpack(std::int64_t code) {
  if (code == 0) {
    return std::nullopt;
  }
  const std::int64_t value = code > 0 ? code - 1 : code;
  if (value < std::numeric_limits<std::int32_t>::min() || value > std::numeric_limits<std::int32_t>::max()) {
    damaged("a number out of range");
  }
  return static_cast<std::int32_t>(value);
}

std::int64_t minus(std::int64_t a, std::int64_t b) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) - static_cast<std::uint64_t>(b));
}
std::int64_t plus(std::int64_t a, std::int64_t b) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
}

template <class Field>
void put_column(std::span<const Sample> samples, ByteWriter& out, Field field) {
  std::vector<std::int64_t> values;
  values.reserve(samples.size());
  for (const Sample& sample : samples) {
    values.push_back(field(sample));
  }
  encode_column(values, out);
}

std::vector<std::int64_t> take_column(ByteReader& reader, std::size_t count) {
  std::vector<std::int64_t> values = decode_column(reader, count);
  if (reader.failed() || values.size() != count) {
    damaged("a column ends early");
  }
  return values;
}

ByteReader checked_body(std::span<const std::byte> blob) {
  if (blob.size() <= kChecksumBytes) {
    damaged(fmt::format("only {} bytes", blob.size()));
  }
  const std::span<const std::byte> body = blob.first(blob.size() - kChecksumBytes);
  std::uint32_t stored = 0;
  for (std::size_t i = 0; i < kChecksumBytes; ++i) {
    stored |= std::to_integer<std::uint32_t>(blob[body.size() + i]) << (8 * i);
  }
  if (stored != crc32(body)) {
    damaged("wrong checksum");
  }
  return ByteReader(body);
}

}  // namespace

std::vector<std::byte> encode_samples(std::span<const Sample> samples) {
  if (samples.size() > kMostSamples) {
    throw Error(ErrorKind::history, fmt::format("{} samples of one call are too many to store", samples.size()), {},
                fmt::format("ask for at most {} iterations", kMostSamples));
  }
  ByteWriter out;
  out.byte(kVersion);
  out.varint(samples.size());
  put_column(samples, out, [](const Sample& s) { return s.busy_ns; });
  put_column(samples, out, [](const Sample& s) { return minus(s.latency_ns, s.busy_ns); });
  put_column(samples, out, [](const Sample& s) { return minus(s.gap_ns, minus(s.latency_ns, s.busy_ns)); });
  put_column(samples, out, [](const Sample& s) { return pack(s.n_kernels); });
  put_column(samples, out, [](const Sample& s) { return pack(s.sm_mhz); });
  put_column(samples, out, [](const Sample& s) { return static_cast<std::int64_t>(s.group); });
  put_column(samples, out, [](const Sample& s) { return std::int64_t{s.work_ns ? 1 : 0}; });
  put_column(samples, out, [](const Sample& s) { return s.work_ns ? minus(*s.work_ns, s.busy_ns) : 0; });
  std::vector<std::byte> blob = out.bytes();
  const std::uint32_t checksum = crc32(blob);
  for (std::size_t i = 0; i < kChecksumBytes; ++i) {
    blob.push_back(static_cast<std::byte>(checksum >> (8 * i)));
  }
  return blob;
}

std::vector<Sample> decode_samples(std::span<const std::byte> blob) {
  ByteReader reader = checked_body(blob);
  const std::uint8_t version = reader.byte();
  if (version != kVersion && version != kWithoutWork) {
    damaged(fmt::format("layout {} is unknown", version));
  }
  const std::uint64_t count = reader.varint();
  if (reader.failed() || count > kMostSamples) {
    damaged("an impossible count");
  }
  const auto size = static_cast<std::size_t>(count);
  const auto busy = take_column(reader, size);
  const auto beyond_busy = take_column(reader, size);
  const auto gap_residue = take_column(reader, size);
  const auto n_kernels = take_column(reader, size);
  const auto sm_mhz = take_column(reader, size);
  const auto group = take_column(reader, size);
  const auto has_work = version == kWithoutWork ? std::vector<std::int64_t>(size) : take_column(reader, size);
  const auto beyond_union = version == kWithoutWork ? std::vector<std::int64_t>(size) : take_column(reader, size);
  if (!reader.at_end()) {
    damaged("bytes are left over");
  }
  std::vector<Sample> samples(size);
  for (std::size_t i = 0; i < size; ++i) {
    if (group[i] < 0 || group[i] > std::numeric_limits<std::uint32_t>::max()) {
      damaged("a group out of range");
    }
    samples[i] = {.busy_ns = busy[i],
                  .latency_ns = plus(busy[i], beyond_busy[i]),
                  .gap_ns = plus(beyond_busy[i], gap_residue[i]),
                  .n_kernels = unpack(n_kernels[i]),
                  .sm_mhz = unpack(sm_mhz[i]),
                  .group = static_cast<std::uint32_t>(group[i]),
                  .work_ns = has_work[i] != 0 ? std::optional(plus(busy[i], beyond_union[i])) : std::nullopt};
  }
  return samples;
}

}  // namespace opgate::store
