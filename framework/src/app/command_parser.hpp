#pragma once

#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "app/command_options.hpp"

namespace opgate::app {

// The words were right: values are set, callbacks called.
struct Understood {};
// Help or version was asked for: print it and exit with 0.
struct Answer {
  std::string text;
};
// What was wrong, of the innermost command that the words chose.
struct UsageProblem {
  std::string what;
  std::string command;                   // as it is called: "opgate baseline accept"
  std::string usage;                     // what it takes: "[OPTIONS] CASE"
  std::vector<std::string> subcommands;  // of it, without hidden ones
  bool subcommand_missing = false;       // it has some, and the words name none or one that it does not have
  std::vector<std::string> left_over;    // words that were not understood
};
using Parsed = std::variant<Understood, Answer, UsageProblem>;

// The words of a whole program.
class CommandParser {
 public:
  CommandParser(const std::string& program, const std::string& help);
  ~CommandParser();
  CommandParser(const CommandParser&) = delete;
  CommandParser& operator=(const CommandParser&) = delete;

  [[nodiscard]] Command root() noexcept;
  void help_width(std::size_t columns);  // of the names, left of what they mean
  void help_of_help(const std::string& help);
  void footer(const std::string& text);
  void footer_of_commands(const std::string& text);  // of all that were added so far
  void version(const std::string& text, const std::string& help);
  // A word that a subcommand does not know is looked for in the commands above it.
  void fallthrough();

  // `words` as after the program's name.
  [[nodiscard]] Parsed parse(const std::vector<std::string>& words);
  [[nodiscard]] bool given(const std::string& option) const;

 private:
  std::unique_ptr<CLI::App> app_;
};

}  // namespace opgate::app
