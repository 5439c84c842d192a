#include "spec/names.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace opgate::spec {
namespace {

constexpr std::array kDtypes = {DType::f64, DType::f32, DType::f16, DType::bf16, DType::f8e4m3,
                                DType::i64, DType::i32, DType::i8,  DType::u8};
static_assert(kDtypes.size() == static_cast<std::size_t>(DType::u8) + 1);

bool is_lower(char c) {
  return c >= 'a' && c <= 'z';
}
bool is_upper(char c) {
  return c >= 'A' && c <= 'Z';
}
bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

NameCheck check_length(std::string_view name, std::string_view kind) {
  if (name.empty()) return NameFault{fmt::format("{} name is empty", kind), "give it a name"};
  if (name.size() <= kLongestName) return std::nullopt;
  return NameFault{fmt::format("{} name of {} characters, longer than {}", kind, name.size(), kLongestName),
                   "shorten the name"};
}

template <class First, class Rest>
NameCheck check_letters(std::string_view name, std::string_view kind, First first, Rest rest, std::string_view rule) {
  if (NameCheck fault = check_length(name, kind)) return fault;
  if (first(name.front()) && std::all_of(name.begin(), name.end(), rest)) return std::nullopt;
  return NameFault{fmt::format("{} name \"{}\" is not allowed", kind, name), std::string(rule)};
}

std::optional<std::string_view> reserved_within(std::string_view name) {
  const auto* const found = std::find_if(kReservedLabels.begin(), kReservedLabels.end(), [&](std::string_view label) {
    return name.find(label) != std::string_view::npos;
  });
  return found == kReservedLabels.end() ? std::nullopt : std::optional(*found);
}

NameFault selected_by(std::string_view kind, std::string_view name, std::string_view reserved) {
  return {fmt::format("{} \"{}\" contains the reserved label \"{}\", so \"ctest -L {}\" would select it", kind, name,
                      reserved, reserved),
          fmt::format("choose a name without \"{}\"", reserved)};
}

NameCheck check_hyphenated(std::string_view name, std::string_view kind) {
  return check_letters(
      name, kind, [](char c) { return is_lower(c) || is_digit(c); },
      [](char c) { return is_lower(c) || is_digit(c) || c == '-' || c == '_'; },
      "use lower-case letters, digits, \"-\" and \"_\", beginning with a letter or digit");
}

}  // namespace

std::optional<DType> find_dtype(std::string_view name) {
  const auto* const found =
      std::find_if(kDtypes.begin(), kDtypes.end(), [&](DType dtype) { return to_string(dtype) == name; });
  return found == kDtypes.end() ? std::nullopt : std::optional(*found);
}

std::string op_of(std::string_view case_name) {
  return std::string(case_name.substr(0, case_name.find('.')));
}

std::string known_dtypes() {
  std::string list;
  for (const DType dtype : kDtypes) {
    if (!list.empty()) list += ", ";
    list += to_string(dtype);
  }
  return list;
}

NameCheck check_op_name(std::string_view name) {
  NameCheck fault = check_letters(
      name, "op", is_lower, [](char c) { return is_lower(c) || is_digit(c) || c == '_'; },
      "use lower-case letters, digits and \"_\", beginning with a letter");
  if (fault) return fault;
  if (const auto reserved = reserved_within(name)) return selected_by("op", name, *reserved);
  return std::nullopt;
}

NameCheck check_workload_name(std::string_view name) {
  if (name.find('.') != std::string_view::npos) {
    return NameFault{fmt::format("workload name \"{}\" contains a dot, which separates the parts of a case name", name),
                     "write \"-\" instead of the dot"};
  }
  if (NameCheck fault = check_hyphenated(name, "workload")) return fault;
  std::string_view rest = name;
  while (true) {
    const std::size_t end = rest.find_first_of("-_");
    const std::string_view part = rest.substr(0, end);
    if (find_dtype(part)) {
      return NameFault{
          fmt::format("workload name \"{}\" spells the dtype \"{}\", which the case name adds", name, part),
          fmt::format("leave \"{}\" out of the name", part)};
    }
    if (end == std::string_view::npos) return std::nullopt;
    rest.remove_prefix(end + 1);
  }
}

NameCheck check_label(std::string_view label) {
  if (NameCheck fault = check_hyphenated(label, "label")) return fault;
  if (label == "unit" || label == "gpu") {
    return NameFault{fmt::format("label \"{}\" is given by opgate itself", label), "remove it"};
  }
  const auto reserved = reserved_within(label);
  if (!reserved || *reserved == label) return std::nullopt;
  return selected_by("label", label, *reserved);
}

NameCheck check_identifier(std::string_view name, std::string_view kind) {
  NameCheck fault = check_letters(
      name, kind, [](char c) { return is_lower(c) || is_upper(c); },
      [](char c) { return is_lower(c) || is_upper(c) || is_digit(c) || c == '_'; },
      "use letters, digits and \"_\", beginning with a letter");
  if (fault) return fault;
  if (name != "dtype" && name != kDtypeBytes) return std::nullopt;
  return NameFault{fmt::format("{} name \"{}\" is opgate's own word", kind, name), "choose another name"};
}

NameCheck check_library_name(std::string_view name) {
  return check_hyphenated(name, "baseline");
}

}  // namespace opgate::spec
