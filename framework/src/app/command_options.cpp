#include "app/command_options.hpp"

#include <CLI/CLI.hpp>
#include <utility>

#include "app/command_parser.hpp"

namespace opgate::app {

namespace {

template <class Value>
Option add(CLI::App& app, const std::string& name, Value& value, const std::string& help) {
  return Option(app.add_option(name, value, help));
}

std::vector<std::string> listed_commands(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App* one) { return !one->get_group().empty(); })) {
    names.push_back(command->get_name());
  }
  return names;
}

// "[OPTIONS] CASE"
std::string usage_of(const CLI::App& command) {
  std::string usage = "[OPTIONS]";
  const auto options = command.get_options([](const CLI::Option* option) { return option->get_positional(); });
  for (const CLI::Option* option : options) {
    std::string word = option->get_name(true);
    if (option->get_expected_max() > 1) word += "...";
    usage += option->get_required() ? " " + word : " [" + word + "]";
  }
  if (!listed_commands(command).empty()) usage += " COMMAND";
  return usage;
}

UsageProblem usage_problem(const CLI::App& app, const CLI::ParseError& problem) {
  const CLI::App* command = &app;
  UsageProblem told;
  told.what = problem.what();
  told.command = app.get_name();
  while (!command->get_subcommands().empty()) {
    command = command->get_subcommands().front();
    told.command += " " + command->get_name();
  }
  told.usage = usage_of(*command);
  told.subcommands = listed_commands(*command);
  told.subcommand_missing = !told.subcommands.empty() && dynamic_cast<const CLI::RequiredError*>(&problem) != nullptr;
  told.left_over = app.remaining(true);
  return told;
}

void set_footer_of_commands(CLI::App& app, const std::string& text) {
  for (CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    command->footer(text);
    set_footer_of_commands(*command, text);
  }
}

}  // namespace

// CLI11 would show a check's description beside the option in the help, which says it in its own words.
WordCheck integers(std::int64_t from, std::int64_t to) {
  return [range = CLI::Range(from, to)](const std::string& word) { return range(word); };
}

WordCheck reals(double from, double to) {
  return [range = CLI::Range(from, to)](const std::string& word) { return range(word); };
}

WordCheck one_of(const std::vector<std::string>& words) {
  return [member = CLI::IsMember(words)](const std::string& word) { return member(word); };
}

std::optional<double> real_number(const std::string& word) {
  double number = 0;
  return CLI::detail::lexical_cast(word, number) ? std::optional(number) : std::nullopt;
}

Option& Option::type_name(const std::string& name) {
  option_->type_name(name);
  return *this;
}

Option& Option::required() {
  option_->required();
  return *this;
}

Option& Option::hidden() {
  option_->group("");
  return *this;
}

Option& Option::check(const WordCheck& check) {
  option_->check(check);
  return *this;
}

Option& Option::delimiter(char between) {
  option_->delimiter(between);
  return *this;
}

Option& Option::take_all() {
  option_->take_all();
  return *this;
}

Option& Option::needs(const Option& other) {
  option_->needs(other.option_);
  return *this;
}

Option& Option::excludes(const Option& other) {
  option_->excludes(other.option_);
  return *this;
}

Command Command::subcommand(const std::string& name, const std::string& help) {
  return Command(app_->add_subcommand(name, help));
}

Command& Command::require_subcommand() {
  app_->require_subcommand(1);
  return *this;
}

Command& Command::hidden() {
  app_->group("");
  return *this;
}

Command& Command::callback(const std::function<void()>& chosen) {
  app_->callback(chosen);
  return *this;
}

Option Command::flag(const std::string& name, bool& value, const std::string& help) {
  return Option(app_->add_flag(name, value, help));
}

Option Command::flag(const std::string& name, const std::function<void()>& given, const std::string& help) {
  return Option(app_->add_flag_callback(name, given, help));
}

Option Command::option(const std::string& name, std::string& value, const std::string& help) {
  return add(*app_, name, value, help);
}

Option Command::option(const std::string& name, int& value, const std::string& help) {
  return add(*app_, name, value, help);
}

Option Command::option(const std::string& name, std::int64_t& value, const std::string& help) {
  return add(*app_, name, value, help);
}

Option Command::option(const std::string& name, std::size_t& value, const std::string& help) {
  return add(*app_, name, value, help);
}

Option Command::option(const std::string& name, std::optional<std::string>& value, const std::string& help) {
  return add(*app_, name, value, help);
}

Option Command::option(const std::string& name, std::optional<std::filesystem::path>& value, const std::string& help) {
  return add(*app_, name, value, help);
}

Option Command::option(const std::string& name, std::optional<int>& value, const std::string& help) {
  return add(*app_, name, value, help);
}

Option Command::option(const std::string& name, std::optional<std::int64_t>& value, const std::string& help) {
  return add(*app_, name, value, help);
}

Option Command::option(const std::string& name, std::optional<std::size_t>& value, const std::string& help) {
  return add(*app_, name, value, help);
}

Option Command::option(const std::string& name, std::optional<double>& value, const std::string& help) {
  return add(*app_, name, value, help);
}

Option Command::option(const std::string& name, std::vector<std::string>& value, const std::string& help) {
  return add(*app_, name, value, help);
}

Option Command::option(const std::string& name, std::vector<std::int64_t>& value, const std::string& help) {
  return add(*app_, name, value, help);
}

Option Command::option(const std::string& name, std::vector<double>& value, const std::string& help) {
  return add(*app_, name, value, help);
}

Option Command::option(const std::string& name, const WordCheck& take, const std::string& help) {
  const auto told = [take, name](const std::string& word) {
    const std::string wrong = take(word);
    if (!wrong.empty()) throw CLI::ValidationError(name, wrong);
  };
  return Option(app_->add_option_function<std::string>(name, told, help));
}

CommandParser::CommandParser(const std::string& program, const std::string& help)
    : app_(std::make_unique<CLI::App>(help, program)) {}

CommandParser::~CommandParser() = default;

Command CommandParser::root() noexcept {
  return Command(app_.get());
}

void CommandParser::help_width(std::size_t columns) {
  app_->get_formatter()->column_width(columns);
}

void CommandParser::help_of_help(const std::string& help) {
  app_->set_help_flag("-h,--help", help);
}

void CommandParser::footer(const std::string& text) {
  app_->footer(text);
}

void CommandParser::footer_of_commands(const std::string& text) {
  set_footer_of_commands(*app_, text);
}

void CommandParser::version(const std::string& text, const std::string& help) {
  app_->set_version_flag("--version", text, help);
}

void CommandParser::fallthrough() {
  app_->fallthrough();
}

Parsed CommandParser::parse(const std::vector<std::string>& words) {
  try {
    std::vector<std::string> reversed(words.rbegin(), words.rend());  // CLI11 takes them from the back
    app_->parse(reversed);
    return Understood{};
  } catch (const CLI::CallForHelp&) {
    return Answer{app_->help()};  // of the innermost command
  } catch (const CLI::CallForVersion& version) {
    return Answer{std::string(version.what()) + '\n'};
  } catch (const CLI::ParseError& problem) {
    return usage_problem(*app_, problem);
  }
}

bool CommandParser::given(const std::string& option) const {
  return app_->count(option) > 0;
}

}  // namespace opgate::app
