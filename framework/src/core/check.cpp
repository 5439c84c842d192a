#include "core/check.hpp"

#include <array>

namespace opgate::core {

const char* to_string(Health health) {
  switch (health) {
    case Health::ok:
      return "ok";
    case Health::note:
      return "note";
    case Health::fail:
      return "FAIL";
    case Health::unknown:
      break;
  }
  return "unknown";
}

std::optional<Health> parse_health(std::string_view text) {
  for (const Health health : std::array{Health::ok, Health::note, Health::fail, Health::unknown}) {
    if (text == to_string(health)) return health;
  }
  return std::nullopt;
}

}  // namespace opgate::core
