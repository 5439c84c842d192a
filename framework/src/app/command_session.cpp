#include "app/command_session.hpp"

#include <system_error>

#include "opgate/error.hpp"

namespace opgate::app {

void Session::print(const Json& object) const {
  out_ << object.dump(-1, ' ', false, Json::error_handler_t::replace) << '\n';
}

const std::optional<run::Project>& Session::project() const {
  if (!looked_for_project_) {
    project_ = run::find_project();
    looked_for_project_ = true;
  }
  return project_;
}

std::filesystem::path Session::history_path() const {
  return run::find_history(history, run::history_is_named(history) ? std::nullopt : project());
}

std::filesystem::path Session::baselines_path() const {
  return run::find_baselines(baselines, run::baselines_are_named(baselines) ? std::nullopt : project());
}

bool Session::has_history() const {
  if (!run::history_is_named(history) && !project()) return false;
  std::error_code problem;
  return std::filesystem::exists(history_path(), problem);
}

store::History Session::read_history() const {
  return store::History::open_for_reading(history_path());
}

void Session::compile_filter() {
  if (filter.empty()) return;
  try {
    pattern_.emplace(filter, std::regex::ECMAScript | std::regex::optimize);
  } catch (const std::regex_error&) {
    throw Error(ErrorKind::usage, "'" + filter + "' is not a regular expression", "--filter",
                "write an ECMAScript regular expression, e.g. --filter '^gemm[.]'");
  }
}

bool Session::matches(std::string_view case_name) const {
  return !pattern_ || std::regex_search(case_name.begin(), case_name.end(), *pattern_);
}

std::string Session::filter_words() const {
  return filter.empty() ? std::string() : " matching '" + filter + "'";
}

}  // namespace opgate::app
