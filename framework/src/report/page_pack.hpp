#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace opgate::report {

// Columns of numbers in few bytes, for html/src/columns.js to read. Integers: 0 for none, else the zigzag difference to
// the value before, plus one, in base 128.
class ColumnWriter {
 public:
  void integers(const std::vector<std::optional<std::int64_t>>& values);
  // Medians of integers are halves: then as integers of twice the value (kind 2), else as doubles (kind 8). Lossless.
  void numbers(const std::vector<std::optional<double>>& values);
  [[nodiscard]] std::size_t size() const noexcept { return bytes_.size(); }
  [[nodiscard]] const std::string& bytes() const noexcept { return bytes_; }

 private:
  void varint(std::uint64_t value);
  std::string bytes_;
};

[[nodiscard]] std::string gzip(std::string_view bytes);
[[nodiscard]] std::string base64(std::string_view bytes);

}  // namespace opgate::report
