#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "opgate/error.hpp"

namespace opgate::text {

// A JSON value that knows where it stands, read strictly: duplicate keys, trailing commas, NaN, comments, a byte order
// mark, bytes after the value and nesting beyond 64 are errors. Numbers keep their text, so integers stay exact.
class Json {
 public:
  enum class Type : std::uint8_t { null, boolean, integer, number, string, array, object };
  using Member = std::pair<std::string, Json>;

  [[nodiscard]] Type type() const noexcept { return type_; }
  [[nodiscard]] int line() const noexcept { return line_; }
  [[nodiscard]] int end_line() const noexcept { return end_line_; }  // where an array or object is closed
  // The accessors throw Error(kind of the document) at file:line, saying what was expected instead.
  [[nodiscard]] bool as_bool() const;
  [[nodiscard]] std::int64_t as_integer() const;
  [[nodiscard]] double as_number() const;
  [[nodiscard]] const std::string& as_string() const;
  [[nodiscard]] const std::vector<Json>& as_array() const;
  [[nodiscard]] const std::vector<Member>& as_object() const;
  // Member of an object, or nullptr; at() throws when it is missing.
  [[nodiscard]] const Json* find(std::string_view key) const;
  [[nodiscard]] const Json& at(std::string_view key) const;
  // Error naming the first key that is not in `known`, with the nearest known one.
  void only(std::initializer_list<std::string_view> known) const;
  void only(const std::vector<std::string_view>& known) const;
  // An error at this value's place.
  [[nodiscard]] Error error(const std::string& what, const std::string& remedy = {}) const;
  [[nodiscard]] std::string where() const;  // "specs/gemm.json:12"

 private:
  friend class JsonBuilder;
  struct Source;                              // file name and error kind, shared by all values of a document
  [[nodiscard]] std::string called() const;   // "rows", an element of "labels", the file
  [[nodiscard]] std::string spelled() const;  // the value in short, for "not ..."
  [[nodiscard]] Error mismatch(const std::string& expected) const;
  Type type_ = Type::null;
  int line_ = 0;
  int end_line_ = 0;
  bool boolean_ = false;
  std::int64_t integer_ = 0;
  double number_ = 0;
  std::string key_;  // of the member this value is, or of the array it is an element of
  bool element_ = false;
  std::string string_;  // text of a string, or of a number as written
  std::vector<Json> array_;
  std::vector<Member> object_;
  std::shared_ptr<const Source> source_;
};

// A value costs many times its text: so many take about 1 GiB.
inline constexpr std::size_t kMostValues = 4'000'000;
[[nodiscard]] Json parse_json(std::string_view text, const std::string& file_for_messages, ErrorKind kind,
                              std::size_t most_values = kMostValues);

}  // namespace opgate::text
