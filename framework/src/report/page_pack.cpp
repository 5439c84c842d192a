#include "report/page_pack.hpp"

#include <zlib.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "opgate/error.hpp"

namespace opgate::report {
namespace {

constexpr double kExact = 4'503'599'627'370'496;  // 2^52: halves are still exact
constexpr char kHalves = 2;
constexpr char kDoubles = 8;
constexpr int kGzip = 15 + 16;  // largest window, gzip's header

bool is_half(const std::optional<double>& value) {
  return !value || (std::abs(*value) < kExact && std::floor(*value * 2) == *value * 2);
}

}  // namespace

void ColumnWriter::varint(std::uint64_t value) {
  for (; value >= 0x80; value >>= 7U) bytes_.push_back(static_cast<char>((value & 0x7fU) | 0x80U));
  bytes_.push_back(static_cast<char>(value));
}

void ColumnWriter::integers(const std::vector<std::optional<std::int64_t>>& values) {
  std::int64_t before = 0;
  for (const auto& value : values) {
    if (!value) {
      varint(0);
      continue;
    }
    const std::int64_t step = *value - before;
    varint(((static_cast<std::uint64_t>(step) << 1U) ^ static_cast<std::uint64_t>(step >> 63)) + 1);
    before = *value;
  }
}

void ColumnWriter::numbers(const std::vector<std::optional<double>>& values) {
  if (std::all_of(values.begin(), values.end(), is_half)) {
    bytes_.push_back(kHalves);
    std::vector<std::optional<std::int64_t>> doubled;
    doubled.reserve(values.size());
    for (const auto& value : values) {
      doubled.push_back(value ? std::optional(static_cast<std::int64_t>(*value * 2)) : std::nullopt);
    }
    integers(doubled);
    return;
  }
  bytes_.push_back(kDoubles);
  for (const auto& value : values) {
    const auto bits = std::bit_cast<std::uint64_t>(value.value_or(std::numeric_limits<double>::quiet_NaN()));
    for (unsigned byte = 0; byte < 8; ++byte) bytes_.push_back(static_cast<char>((bits >> (8 * byte)) & 0xffU));
  }
}

std::string gzip(std::string_view bytes) {
  z_stream stream{};
  if (deflateInit2(&stream, Z_BEST_COMPRESSION, Z_DEFLATED, kGzip, 9, Z_DEFAULT_STRATEGY) != Z_OK) {
    throw Error(ErrorKind::io, "zlib could not begin to compress", "report", "free some memory");
  }
  std::string packed(deflateBound(&stream, bytes.size()), '\0');
  // zlib's interface is older than const.
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  const int ended = deflate(&stream, Z_FINISH);
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  if (ended != Z_STREAM_END) {
    throw Error(ErrorKind::io, "the report is too large to compress", "report", "report fewer results with --trend");
  }
  return packed;
}

std::string base64(std::string_view bytes) {
  constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t have = std::min<std::size_t>(3, bytes.size() - i);
    std::uint32_t group = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      group = group << 8U | (k < have ? static_cast<unsigned char>(bytes[i + k]) : 0U);
    }
    for (std::size_t k = 0; k < 4; ++k) {
      text.push_back(k <= have ? kDigits[(group >> (18 - 6 * k)) & 0x3fU] : '=');
    }
  }
  return text;
}

}  // namespace opgate::report
