#include "text/json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>
#include <set>

#include "text/clear_error.hpp"
#include "text/json_source.hpp"

namespace opgate::text {
namespace {

constexpr std::size_t kDeepest = 64;

// The parser reads through this, so that the builder knows how far it came.
struct Consumed {
  std::string_view text;
  std::size_t bytes = 0;
  int newlines = 0;

  // The lexer reads one byte beyond a number; a line break there is not part of it.
  [[nodiscard]] int line() const noexcept { return 1 + newlines - (bytes > 0 && text[bytes - 1] == '\n' ? 1 : 0); }
  [[nodiscard]] std::size_t column() const noexcept {
    const std::size_t last = bytes == 0 ? 0 : bytes - 1;
    const std::size_t line_break = last == 0 ? std::string_view::npos : text.rfind('\n', last - 1);
    return line_break == std::string_view::npos ? last + 1 : last - line_break;
  }
};

class CountingIterator {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  CountingIterator(Consumed& consumed, std::size_t at) : consumed_(&consumed), at_(at) {}
  reference operator*() const { return consumed_->text[at_]; }
  CountingIterator& operator++() {
    if (consumed_->text[at_] == '\n') ++consumed_->newlines;
    consumed_->bytes = ++at_;
    return *this;
  }
  bool operator==(const CountingIterator& other) const { return at_ == other.at_; }
  bool operator!=(const CountingIterator& other) const { return at_ != other.at_; }

 private:
  Consumed* consumed_;
  std::size_t at_;
};

// "[json.exception.parse_error.101] parse error at line 1, column 2: syntax error while ...; last read: '...'": the
// place is told by us, and what was read may hold any bytes.
std::string parser_message(std::string_view text) {
  if (const std::size_t place = text.find("parse error at "); place != std::string_view::npos) {
    if (const std::size_t colon = text.find(": ", place); colon != std::string_view::npos)
      text.remove_prefix(colon + 2);
  } else if (const std::size_t bracket = text.find("] "); bracket != std::string_view::npos) {
    text.remove_prefix(bracket + 2);
  }
  const std::size_t read = text.find("; last read: ");
  const std::size_t expected = read == std::string_view::npos ? read : text.rfind("; expected ");
  std::string message(text.substr(0, read));
  if (expected != std::string_view::npos && expected > read) message += text.substr(expected);
  return message;
}

}  // namespace

// Takes the parser's events and builds the tree; false from an event would stop the parser, throwing is plainer.
class JsonBuilder {
 public:
  JsonBuilder(Consumed& consumed, const std::string& file, ErrorKind kind, std::size_t most_values)
      : consumed_(&consumed),
        values_left_(most_values),
        source_(std::make_shared<Json::Source>(Json::Source{file, kind})) {}

  bool null() { return add(Json::Type::null) != nullptr; }
  bool boolean(bool value) {
    add(Json::Type::boolean)->boolean_ = value;
    return true;
  }
  bool number_integer(std::int64_t value) { return integer(value); }
  bool number_unsigned(std::uint64_t value) {
    if (value <= static_cast<std::uint64_t>(INT64_MAX)) return integer(static_cast<std::int64_t>(value));
    return number_float(static_cast<double>(value), std::to_string(value));
  }
  bool number_float(double value, const std::string& text) {
    Json* json = add(Json::Type::number);
    json->number_ = value;
    json->string_ = text;
    return true;
  }
  bool string(std::string& value) {
    add(Json::Type::string)->string_ = std::move(value);
    return true;
  }
  // Only binary formats produce it.
  static bool binary(std::vector<std::uint8_t>&) { return false; }
  bool start_object(std::size_t) { return open(Json::Type::object); }
  bool start_array(std::size_t) { return open(Json::Type::array); }
  bool end_object() { return close(); }
  bool end_array() { return close(); }
  bool key(std::string& name) {
    if (!keys_.back().insert(name).second) {
      throw fail(fmt::format("key \"{}\" appears twice in one object", shortened(name)), "remove one of the two");
    }
    key_ = std::move(name);
    return true;
  }
  bool parse_error(std::size_t, const std::string&, const nlohmann::json::exception& exception) {
    throw fail(fmt::format("not valid JSON: column {}: {}", consumed_->column(), parser_message(exception.what())),
               "correct the JSON at this place");
  }

  [[nodiscard]] Error fail(const std::string& what, const std::string& remedy) const {
    return clear_error(source_->kind, what, fmt::format("{}:{}", source_->file, consumed_->line()), remedy);
  }
  [[nodiscard]] Json take() { return std::move(root_); }

 private:
  bool integer(std::int64_t value) {
    Json* json = add(Json::Type::integer);
    json->integer_ = value;
    json->number_ = static_cast<double>(value);
    json->string_ = std::to_string(value);
    return true;
  }

  // An open container does not move: its parent gets no further element before it is closed.
  Json* add(Json::Type type) {
    if (values_left_-- == 0) throw fail("too many values", "split the file");
    Json* json = &root_;
    if (!open_.empty()) {
      Json& parent = *open_.back();
      if (parent.type_ == Json::Type::object) {
        json = &parent.object_.emplace_back(key_, Json()).second;
        json->key_ = std::move(key_);
      } else {
        json = &parent.array_.emplace_back();
        json->key_ = parent.key_;
        json->element_ = true;
      }
    }
    json->type_ = type;
    json->line_ = json->end_line_ = consumed_->line();
    json->source_ = source_;
    return json;
  }

  bool open(Json::Type type) {
    if (open_.size() == kDeepest) {
      throw fail(fmt::format("nested more than {} levels deep", kDeepest), "flatten the document");
    }
    open_.push_back(add(type));
    keys_.emplace_back();
    return true;
  }

  bool close() {
    open_.back()->end_line_ = consumed_->line();
    open_.pop_back();
    keys_.pop_back();
    return true;
  }

  Consumed* consumed_;
  std::size_t values_left_;
  std::shared_ptr<const Json::Source> source_;
  Json root_;
  std::vector<Json*> open_;
  std::vector<std::set<std::string, std::less<>>> keys_;
  std::string key_;
};

Json parse_json(std::string_view text, const std::string& file_for_messages, ErrorKind kind, std::size_t most_values) {
  Consumed consumed{text};
  JsonBuilder builder(consumed, file_for_messages, kind, most_values);
  // The parser skips the first silently and takes the second for the end of the text.
  if (text.starts_with("\xEF\xBB\xBF")) {
    throw builder.fail("begins with a byte order mark", "save the file as UTF-8 without one");
  }
  if (const std::size_t zero = text.find('\0'); zero != std::string_view::npos) {
    consumed.bytes = zero + 1;
    consumed.newlines =
        static_cast<int>(std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(zero), '\n'));
    throw builder.fail("not valid JSON: contains a NUL byte", "restore the file from version control");
  }
  const CountingIterator begin(consumed, 0);
  const CountingIterator end(consumed, text.size());
  nlohmann::json::sax_parse(begin, end, &builder);
  return builder.take();
}

}  // namespace opgate::text
