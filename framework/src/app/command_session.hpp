#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <ostream>
#include <regex>
#include <string>
#include <string_view>

#include "core/exit_code.hpp"
#include "report/json_parts.hpp"
#include "run/project.hpp"
#include "store/history.hpp"

namespace opgate::app {

using report::Json;

// What every command may look at: the common options, the project, the history, and where to print.
class Session {
 public:
  Session(std::ostream& out, std::ostream& err) : out_(out), err_(err) {}

  // Common options, as given.
  std::string history;
  std::string baselines;
  std::string filter;
  bool json = false;
  bool unicode = false;  // whether what reads the output can show more than ASCII

  // What the chosen command does, and whether it may make the history that it is given.
  std::function<core::ExitCode()> action;
  bool creates_history = false;

  [[nodiscard]] std::ostream& out() const noexcept { return out_; }
  [[nodiscard]] std::ostream& err() const noexcept { return err_; }
  // One object on one line; text that is not UTF-8 is replaced, not refused.
  void print(const Json& object) const;

  // Looked for once, when first needed; nothing when there is none.
  [[nodiscard]] const std::optional<run::Project>& project() const;
  [[nodiscard]] std::filesystem::path history_path() const;
  [[nodiscard]] std::filesystem::path baselines_path() const;
  [[nodiscard]] bool has_history() const;  // named or configured, and there
  [[nodiscard]] store::History read_history() const;

  // Error(usage) when --filter is no regular expression.
  void compile_filter();
  [[nodiscard]] bool matches(std::string_view case_name) const;
  // Said on stderr when a selection came out empty; " matching 'x'" when there is a filter.
  [[nodiscard]] std::string filter_words() const;

 private:
  std::ostream& out_;
  std::ostream& err_;
  std::optional<std::regex> pattern_;
  mutable bool looked_for_project_ = false;
  mutable std::optional<run::Project> project_;
};

}  // namespace opgate::app
