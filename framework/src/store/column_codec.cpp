#include "store/column_codec.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <numeric>

namespace opgate::store {
namespace {

enum class Encoding : std::uint8_t { runs = 0, offsets = 1, deltas = 2 };

constexpr unsigned kUnaryLimit = 24;  // a longer quotient is written as 64 plain bits

// Differences wrap around, so that every 64-bit value survives.
std::int64_t minus(std::int64_t a, std::int64_t b) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) - static_cast<std::uint64_t>(b));
}
std::int64_t plus(std::int64_t a, std::int64_t b) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
}
std::uint64_t magnitude(std::int64_t v) {
  return v < 0 ? 0U - static_cast<std::uint64_t>(v) : static_cast<std::uint64_t>(v);
}
std::uint64_t zigzag(std::int64_t v) {
  return (static_cast<std::uint64_t>(v) << 1U) ^ (v < 0 ? ~0ULL : 0ULL);
}
std::int64_t unzigzag(std::uint64_t v) {
  return static_cast<std::int64_t>((v >> 1U) ^ ((v & 1U) != 0 ? ~0ULL : 0ULL));
}

void encode_runs(std::span<const std::int64_t> values, ByteWriter& out) {
  std::int64_t before = 0;
  for (std::size_t i = 0; i < values.size();) {
    std::size_t end = i + 1;
    while (end < values.size() && values[end] == values[i]) {
      ++end;
    }
    out.varint(zigzag(minus(values[i], before)));
    out.varint(end - i);
    before = values[i];
    i = end;
  }
}

std::vector<std::int64_t> decode_runs(ByteReader& reader, std::size_t count) {
  std::vector<std::int64_t> values;
  std::int64_t value = 0;
  while (values.size() < count && !reader.failed()) {
    value = plus(value, unzigzag(reader.varint()));
    const std::uint64_t length = reader.varint();
    if (length == 0 || length > count - values.size()) {
      reader.fail();
      break;
    }
    values.insert(values.end(), length, value);
  }
  return values;
}

std::uint64_t rice_bits(std::span<const std::uint64_t> codes, unsigned k) {
  std::uint64_t total = 0;
  for (const std::uint64_t code : codes) {
    const std::uint64_t quotient = code >> k;
    total += quotient < kUnaryLimit ? quotient + 1 + k : kUnaryLimit + 64;
  }
  return total;
}

// No parameter wider than the largest code can be the best.
unsigned best_rice_parameter(std::span<const std::uint64_t> codes) {
  const auto width = static_cast<unsigned>(std::bit_width(*std::max_element(codes.begin(), codes.end())));
  unsigned best = 0;
  std::uint64_t least = rice_bits(codes, 0);
  for (unsigned k = 1; k < std::min(width, 64U); ++k) {
    if (const std::uint64_t bits = rice_bits(codes, k); bits < least) {
      best = k;
      least = bits;
    }
  }
  return best;
}

void encode_rice(std::span<const std::int64_t> differences, std::int64_t base, ByteWriter& out) {
  std::uint64_t divisor = 0;
  for (const std::int64_t d : differences) {
    divisor = std::gcd(divisor, magnitude(d));
  }
  // 2^63 does not fit the signed quotient's divisor; such a column is random anyway.
  divisor = divisor == 0 || divisor > (1ULL << 62U) ? 1 : divisor;
  std::vector<std::uint64_t> codes;
  codes.reserve(differences.size());
  for (const std::int64_t d : differences) {
    codes.push_back(zigzag(d / static_cast<std::int64_t>(divisor)));
  }
  const unsigned best = best_rice_parameter(codes);
  out.varint(zigzag(base));
  out.varint(divisor);
  out.byte(static_cast<std::uint8_t>(best));
  for (const std::uint64_t code : codes) {
    const std::uint64_t quotient = code >> best;
    if (quotient < kUnaryLimit) {
      out.bits((1ULL << quotient) - 1U, static_cast<unsigned>(quotient) + 1);
      out.bits(code, best);
    } else {
      out.bits((1ULL << kUnaryLimit) - 1U, kUnaryLimit);
      out.bits(code, 64);
    }
  }
  out.align();
}

std::vector<std::int64_t> decode_rice(ByteReader& reader, std::size_t count, bool cumulative) {
  std::int64_t base = unzigzag(reader.varint());
  const auto divisor = static_cast<std::int64_t>(reader.varint());
  const unsigned k = reader.byte();
  if (divisor <= 0 || k >= 64) {
    reader.fail();
  }
  std::vector<std::int64_t> values;
  while (values.size() < count && !reader.failed()) {
    unsigned quotient = 0;
    while (quotient < kUnaryLimit && reader.bits(1) == 1) {
      ++quotient;
    }
    const std::uint64_t code =
        quotient < kUnaryLimit ? (static_cast<std::uint64_t>(quotient) << k) | reader.bits(k) : reader.bits(64);
    const auto difference =
        static_cast<std::int64_t>(static_cast<std::uint64_t>(unzigzag(code)) * static_cast<std::uint64_t>(divisor));
    values.push_back(plus(base, difference));
    base = cumulative ? values.back() : base;
  }
  reader.align();
  return values;
}

void encode_offsets(std::span<const std::int64_t> values, ByteWriter& out) {
  std::vector<std::int64_t> work(values.begin(), values.end());
  const auto middle = work.begin() + static_cast<std::ptrdiff_t>(work.size() / 2);
  std::nth_element(work.begin(), middle, work.end());
  const std::int64_t base = *middle;
  std::transform(values.begin(), values.end(), work.begin(), [&](std::int64_t v) { return minus(v, base); });
  encode_rice(work, base, out);
}

void encode_deltas(std::span<const std::int64_t> values, ByteWriter& out) {
  std::vector<std::int64_t> work(values.size());
  std::int64_t before = values.front();
  for (std::size_t i = 0; i < values.size(); ++i) {
    work[i] = minus(values[i], before);
    before = values[i];
  }
  encode_rice(work, values.front(), out);
}

}  // namespace

void encode_column(std::span<const std::int64_t> values, ByteWriter& out) {
  if (values.empty()) {
    return;
  }
  std::array<ByteWriter, 3> candidates;
  encode_runs(values, candidates[0]);
  encode_offsets(values, candidates[1]);
  encode_deltas(values, candidates[2]);
  const auto shortest = std::min_element(candidates.begin(), candidates.end(), [](const auto& a, const auto& b) {
    return a.bytes().size() < b.bytes().size();
  });
  out.byte(static_cast<std::uint8_t>(shortest - candidates.begin()));
  for (const std::byte byte : shortest->bytes()) {
    out.byte(std::to_integer<std::uint8_t>(byte));
  }
}

std::vector<std::int64_t> decode_column(ByteReader& reader, std::size_t count) {
  if (count == 0) {
    return {};
  }
  switch (static_cast<Encoding>(reader.byte())) {
    case Encoding::runs:
      return decode_runs(reader, count);
    case Encoding::offsets:
      return decode_rice(reader, count, false);
    case Encoding::deltas:
      return decode_rice(reader, count, true);
  }
  reader.fail();
  return {};
}

}  // namespace opgate::store
