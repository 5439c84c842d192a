#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace opgate::core {

// note: the machine is fit, and somebody should know. unknown: could not be looked at, because an earlier check failed
// or the system does not say. Only fail makes a machine unfit.
enum class Health : std::uint8_t { ok, note, fail, unknown };

struct Figure {
  std::string name;
  double value = 0;

  bool operator==(const Figure&) const = default;
};

// One finding of `opgate doctor`; its name never changes.
struct Check {
  std::string name;
  Health health = Health::unknown;
  std::string detail;
  std::string remedy = {};             // one imperative sentence; empty when nothing is to be done
  std::vector<Figure> figures = {};    // what was judged, and by which limits
  std::vector<std::string> rows = {};  // of a table, for people

  bool operator==(const Check&) const = default;
};

[[nodiscard]] const char* to_string(Health health);
[[nodiscard]] std::optional<Health> parse_health(std::string_view text);

}  // namespace opgate::core
