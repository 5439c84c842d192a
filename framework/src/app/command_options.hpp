#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

// Only command_options.cpp includes CLI11, which takes a compiler longer than all else that a command includes.
namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace opgate::app {

// "" when the word may stand, else what is wrong with it.
using WordCheck = std::function<std::string(const std::string& word)>;

[[nodiscard]] WordCheck integers(std::int64_t from, std::int64_t to);
[[nodiscard]] WordCheck reals(double from, double to);
[[nodiscard]] WordCheck one_of(const std::vector<std::string>& words);
// The word as an option of type double reads it.
[[nodiscard]] std::optional<double> real_number(const std::string& word);

// An option, flag or positional word of a command, to be told more of.
class Option {
 public:
  explicit Option(CLI::Option* option) noexcept : option_(option) {}

  Option& type_name(const std::string& name);  // in the help, after the option's own
  Option& required();
  Option& hidden();  // from the help
  Option& check(const WordCheck& check);
  Option& delimiter(char between);  // of several in one word
  Option& take_all();               // when it is given more than once
  Option& needs(const Option& other);
  Option& excludes(const Option& other);

 private:
  CLI::Option* option_;
};

// What a command takes. The values must live until the words were parsed.
class Command {
 public:
  explicit Command(CLI::App* app) noexcept : app_(app) {}

  [[nodiscard]] Command subcommand(const std::string& name, const std::string& help);
  Command& require_subcommand();
  Command& hidden();
  Command& callback(const std::function<void()>& chosen);  // called when the words chose it and are right

  Option flag(const std::string& name, bool& value, const std::string& help = {});
  Option flag(const std::string& name, const std::function<void()>& given, const std::string& help);
  // Names that begin with - are options, others positional words.
  Option option(const std::string& name, std::string& value, const std::string& help = {});
  Option option(const std::string& name, int& value, const std::string& help = {});
  Option option(const std::string& name, std::int64_t& value, const std::string& help = {});
  Option option(const std::string& name, std::size_t& value, const std::string& help = {});
  Option option(const std::string& name, std::optional<std::string>& value, const std::string& help = {});
  Option option(const std::string& name, std::optional<std::filesystem::path>& value, const std::string& help = {});
  Option option(const std::string& name, std::optional<int>& value, const std::string& help = {});
  Option option(const std::string& name, std::optional<std::int64_t>& value, const std::string& help = {});
  Option option(const std::string& name, std::optional<std::size_t>& value, const std::string& help = {});
  Option option(const std::string& name, std::optional<double>& value, const std::string& help = {});
  Option option(const std::string& name, std::vector<std::string>& value, const std::string& help = {});
  Option option(const std::string& name, std::vector<std::int64_t>& value, const std::string& help = {});
  Option option(const std::string& name, std::vector<double>& value, const std::string& help = {});
  // A word that is no value: `take` keeps it, or says what is wrong with it.
  Option option(const std::string& name, const WordCheck& take, const std::string& help);

 private:
  CLI::App* app_;
};

}  // namespace opgate::app
