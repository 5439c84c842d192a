#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "spec/names.hpp"
#include "spec/spec.hpp"
#include "text/json.hpp"

// The parts that the op's own keys and its workloads have in common.
namespace opgate::spec {

// Of tensors, parameters, dimensions, and of what a list holds.
inline constexpr std::size_t kMostEntries = 64;

using Params = std::map<std::string, double, std::less<>>;

// Throws at `at` what a name check found.
void require(const NameCheck& fault, const text::Json& at);
[[nodiscard]] std::int64_t integer_within(const text::Json& value, std::string_view key, std::int64_t lowest,
                                          std::int64_t highest = std::numeric_limits<std::int64_t>::max());
[[nodiscard]] const std::string& non_empty(const text::Json& value, std::string_view key);
// Error when there are more than kMostEntries.
void check_entries(std::size_t entries, const text::Json& value, std::string_view key);
// "1%" -> 0.01
[[nodiscard]] double parse_tolerance(const text::Json& value);
[[nodiscard]] int parse_timeout(const text::Json& value);
[[nodiscard]] int parse_iterations(const text::Json& value);
[[nodiscard]] int parse_processes(const text::Json& value);
// An array of distinct strings.
[[nodiscard]] std::vector<std::string> parse_list(const text::Json& value, std::string_view key);
[[nodiscard]] std::vector<std::string> parse_labels(const text::Json& value);
[[nodiscard]] Params parse_params(const text::Json& value);

// Every name that shapes and formulas use: each workload gives exactly these.
using Dimensions = std::set<std::string, std::less<>>;
// Fills spec.workloads from the array; the other fields of `spec` are complete.
void load_workloads(const text::Json& rows, const Dimensions& dimensions, Spec& spec);

}  // namespace opgate::spec
