#include <fmt/format.h>

#include <algorithm>

#include "text/clear_error.hpp"
#include "text/json.hpp"
#include "text/json_source.hpp"
#include "text/suggest.hpp"

namespace opgate::text {
namespace {

const char* describe(Json::Type type) {
  switch (type) {
    case Json::Type::null:
      return "null";
    case Json::Type::boolean:
      return "a boolean";
    case Json::Type::integer:
    case Json::Type::number:
      return "a number";
    case Json::Type::string:
      return "a string";
    case Json::Type::array:
      return "an array";
    case Json::Type::object:
      return "an object";
  }
  return "?";
}

}  // namespace

std::string Json::where() const {
  return fmt::format("{}:{}", source_ ? source_->file : std::string(), line_);
}

Error Json::error(const std::string& what, const std::string& remedy) const {
  return clear_error(source_ ? source_->kind : ErrorKind::io, what, where(), remedy);
}

std::string Json::called() const {
  if (key_.empty()) return element_ ? "the element" : "the value";
  return fmt::format("{}\"{}\"", element_ ? "an element of " : "", shortened(key_));
}

std::string Json::spelled() const {
  constexpr std::size_t kShort = 40;
  if (type_ == Type::boolean) return boolean_ ? "true" : "false";
  const bool scalar = type_ == Type::string || type_ == Type::integer || type_ == Type::number;
  if (!scalar || string_.size() > kShort) return describe(type_);
  return type_ == Type::string ? fmt::format("the string \"{}\"", string_) : string_;
}

Error Json::mismatch(const std::string& expected) const {
  return error(fmt::format("{} must be {}, not {}", called(), expected, spelled()),
               fmt::format("write {} here", expected));
}

bool Json::as_bool() const {
  if (type_ != Type::boolean) throw mismatch("true or false");
  return boolean_;
}

std::int64_t Json::as_integer() const {
  if (type_ != Type::integer) {
    const bool whole = type_ == Type::number && string_.find_first_of(".eE") == std::string::npos;
    throw mismatch(whole ? "an integer of at most 64 bits" : "an integer");
  }
  return integer_;
}

double Json::as_number() const {
  if (type_ != Type::number && type_ != Type::integer) throw mismatch("a number");
  return number_;
}

const std::string& Json::as_string() const {
  if (type_ != Type::string) throw mismatch("a string");
  return string_;
}

const std::vector<Json>& Json::as_array() const {
  if (type_ != Type::array) throw mismatch("an array");
  return array_;
}

const std::vector<Json::Member>& Json::as_object() const {
  if (type_ != Type::object) throw mismatch("an object");
  return object_;
}

const Json* Json::find(std::string_view key) const {
  const auto& members = as_object();
  const auto found = std::find_if(members.begin(), members.end(), [&](const Member& m) { return m.first == key; });
  return found == members.end() ? nullptr : &found->second;
}

const Json& Json::at(std::string_view key) const {
  if (const Json* found = find(key)) return *found;
  throw error(fmt::format("key \"{}\" is missing", key), fmt::format("add \"{}\"", key));
}

void Json::only(std::initializer_list<std::string_view> known) const {
  only(std::vector<std::string_view>(known));
}

void Json::only(const std::vector<std::string_view>& known) const {
  for (const auto& [key, value] : as_object()) {
    if (std::find(known.begin(), known.end(), key) != known.end()) continue;
    const auto meant = nearest(key, std::span<const std::string_view>(known));
    throw value.error(fmt::format("unknown key \"{}\"", shortened(key)),
                      meant ? fmt::format("write \"{}\" if that was meant, or remove \"{}\"", *meant, shortened(key))
                            : fmt::format("remove it; known keys are {}", fmt::join(known, ", ")));
  }
}

}  // namespace opgate::text
