#include "app/check_text.hpp"

#include <fmt/format.h>

namespace opgate::app {

std::string text_of(const core::Check& check) {
  std::string text = fmt::format("{:<7} {}: {}\n", core::to_string(check.health), check.name, check.detail);
  for (const std::string& row : check.rows) text += fmt::format("          {}\n", row);
  if (check.health != core::Health::ok && !check.remedy.empty()) text += "          fix: " + check.remedy + "\n";
  return text;
}

nlohmann::ordered_json json_of(const core::Check& check) {
  nlohmann::ordered_json figures = nlohmann::ordered_json::object();
  for (const core::Figure& figure : check.figures) figures[figure.name] = figure.value;
  nlohmann::ordered_json json{
      {"check", check.name}, {"state", core::to_string(check.health)}, {"detail", check.detail}};
  json["remedy"] = check.remedy.empty() ? nlohmann::ordered_json(nullptr) : nlohmann::ordered_json(check.remedy);
  json["figures"] = figures;
  json["rows"] = check.rows;
  return json;
}

std::optional<core::Check> parse_check(const std::string& line) {
  try {
    const auto json = nlohmann::ordered_json::parse(line);
    const auto health = core::parse_health(json.at("state").get<std::string>());
    if (!health) return std::nullopt;
    core::Check check{json.at("check").get<std::string>(), *health, json.at("detail").get<std::string>()};
    if (!json.at("remedy").is_null()) check.remedy = json.at("remedy").get<std::string>();
    for (const auto& [name, value] : json.at("figures").items()) check.figures.push_back({name, value.get<double>()});
    check.rows = json.at("rows").get<std::vector<std::string>>();
    return check;
  } catch (const nlohmann::json::exception&) {
    return std::nullopt;
  }
}

}  // namespace opgate::app
