#include "exchange/gunzip.hpp"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <limits>

#include "opgate/error.hpp"

namespace opgate::exchange {

namespace {

constexpr int kGzipOnly = 16 + MAX_WBITS;  // zlib.h, inflateInit2

class Inflater {
 public:
  explicit Inflater(const std::string& file) : file_(file) {
    if (inflateInit2(&stream_, kGzipOnly) != Z_OK) {
      throw Error(ErrorKind::io, "zlib cannot be started", file_, "free some memory");
    }
  }
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;
  ~Inflater() { inflateEnd(&stream_); }

  void run(std::string_view compressed, std::size_t most, const std::function<void(std::string_view)>& take) {
    std::size_t taken = 0;
    std::size_t at = 0;
    while (true) {
      const std::size_t piece = std::min<std::size_t>(compressed.size() - at, std::numeric_limits<uInt>::max());
      // zlib does not write to its input; its interface predates const.
      stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(compressed.data() + at));
      stream_.avail_in = static_cast<uInt>(piece);
      stream_.next_out = buffer_.data();
      stream_.avail_out = static_cast<uInt>(buffer_.size());
      const int code = inflate(&stream_, Z_NO_FLUSH);
      at += piece - stream_.avail_in;
      const std::size_t count = buffer_.size() - stream_.avail_out;
      if (code == Z_BUF_ERROR && count == 0) throw error(at, "the gzip file ends early", "copy or export it again");
      if (code != Z_OK && code != Z_STREAM_END && code != Z_BUF_ERROR) throw damaged(at);
      taken += count;
      if (taken > most) {
        throw error(at, fmt::format("holds more than {} MiB", most >> 20U), "split the file, or import less of it");
      }
      take({reinterpret_cast<const char*>(buffer_.data()), count});
      if (code != Z_STREAM_END) continue;
      if (at == compressed.size()) return;
      if (!is_gzip(compressed.substr(at))) throw damaged(at);
      inflateReset(&stream_);  // a gzip file may have several members
    }
  }

 private:
  [[nodiscard]] Error error(std::size_t at, const std::string& what, const std::string& remedy) const {
    return {ErrorKind::io, fmt::format("byte {}: {}", at, what), file_, remedy};
  }
  [[nodiscard]] Error damaged(std::size_t at) const {
    return error(at,
                 fmt::format("the gzip file is damaged{}{}", stream_.msg != nullptr ? ": " : "",
                             stream_.msg != nullptr ? stream_.msg : ""),
                 "copy or export it again");
  }

  const std::string& file_;
  z_stream stream_{};
  std::array<Bytef, 262'144> buffer_{};
};

}  // namespace

bool is_gzip(std::string_view head) noexcept {
  return head.starts_with("\x1f\x8b");
}

void gunzip(std::string_view compressed, const std::string& name_for_messages, std::size_t most,
            const std::function<void(std::string_view)>& take) {
  Inflater(name_for_messages).run(compressed, most, take);
}

std::string gunzip(std::string_view compressed, const std::string& name_for_messages, std::size_t most) {
  std::string text;
  gunzip(compressed, name_for_messages, most, [&](std::string_view piece) { text += piece; });
  return text;
}

}  // namespace opgate::exchange
