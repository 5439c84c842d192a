#include "exchange/imported_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "opgate/error.hpp"
#include "text/json_write.hpp"

namespace opgate::exchange {

namespace {

constexpr const char* kOtherOp = "imported";

bool is_op_name(std::string_view name) {
  const auto follows = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_'; };
  return !name.empty() && name.front() >= 'a' && name.front() <= 'z' && std::all_of(name.begin(), name.end(), follows);
}

bool is_dtype(std::string_view name) {
  try {
    static_cast<void>(parse_dtype(name));
    return true;
  } catch (const Error&) {
    return false;  // not one of ours: the name is taken as it is
  }
}

}  // namespace

std::optional<NameFault> fault_of_name(const std::string& name) {
  const bool printable =
      std::none_of(name.begin(), name.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; });
  if (name.empty() || !printable) return NameFault{"the case has no printable name", "name the case"};
  if (name.size() > kLongestCaseName) {
    return NameFault{
        fmt::format("the name of the case has {} bytes, at most {} are taken", name.size(), kLongestCaseName),
        "give the case a shorter name"};
  }
  if (!text::is_utf8(name)) return NameFault{"the name of the case is not UTF-8", "save the file as UTF-8"};
  return std::nullopt;
}

core::CaseIdentity imported_identity(const std::string& case_name) {
  core::CaseIdentity identity;
  identity.name = case_name;
  const std::size_t first = case_name.find('.');
  const std::string head = case_name.substr(0, first);
  identity.op = is_op_name(head) ? head : kOtherOp;
  const std::size_t last = case_name.rfind('.');
  if (first == std::string::npos || first == last) return identity;
  const std::string middle = case_name.substr(first + 1, last - first - 1);
  const std::string tail = case_name.substr(last + 1);
  if (middle.find('.') == std::string::npos && is_dtype(tail)) {
    identity.workload = middle;
    identity.dtype = tail;
  }
  return identity;
}

std::string op_of(const std::string& text) {
  constexpr std::size_t kLongest = 100;  // a file name has a bound
  std::string name;
  for (const char c : text.substr(0, kLongest)) {
    const bool upper = c >= 'A' && c <= 'Z';
    const bool kept = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
    name += upper ? static_cast<char>(c - 'A' + 'a') : kept ? c : '_';
  }
  return is_op_name(name) ? name : kOtherOp;
}

std::string bounded_message(std::string text) {
  if (text.size() <= kLongestMessage) return text;
  std::size_t end = kLongestMessage;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0U) == 0x80U) --end;
  text.resize(end);
  return text + " [cut]";
}

core::ExitCode exit_code_of(core::Status status) {
  switch (status) {
    case core::Status::measured:
      return core::ExitCode::pass;
    case core::Status::untrusted:
      return core::ExitCode::untrusted;
    case core::Status::wrong:
      return core::ExitCode::wrong_result;
    case core::Status::skipped:
      return core::ExitCode::skipped;
    case core::Status::failed:
    case core::Status::running:
      break;
  }
  return core::ExitCode::cannot_run;
}

core::Attempt attempt_without_number(core::Status status, const std::string& message) {
  core::Attempt attempt;
  attempt.status = status;
  attempt.phase = "import";
  attempt.message = bounded_message(message);
  if (status == core::Status::untrusted) attempt.error = ErrorKind::impossible;
  if (status == core::Status::failed) attempt.error = ErrorKind::op;
  return attempt;
}

void finish(ImportedRun& run) {
  auto& results = run.results;
  std::stable_sort(results.begin(), results.end(),
                   [](const auto& a, const auto& b) { return a.identity.name < b.identity.name; });
  std::vector<store::CaseResult> merged;
  for (store::CaseResult& result : results) {
    if (merged.empty() || merged.back().identity.name != result.identity.name) {
      run.info.selected.push_back(result.identity.name);
      merged.push_back(std::move(result));
      continue;
    }
    store::CaseResult& first = merged.back();
    for (core::Attempt& attempt : result.attempts) {
      attempt.number = static_cast<int>(first.attempts.size()) + 1;
      attempt.purpose = "repeat";
      first.attempts.push_back(std::move(attempt));
    }
    ++first.times_recorded;
    first.exit_code = result.exit_code;
  }
  results = std::move(merged);
}

}  // namespace opgate::exchange
