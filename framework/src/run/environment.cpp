#include "run/environment.hpp"

#include <cstdlib>
#include <string_view>

#include "opgate/error.hpp"

namespace opgate::run {
namespace {

std::string value_of(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

bool flag(const char* name) {
  const std::string value = value_of(name);
  if (value.empty() || value == "0") {
    return false;
  }
  if (value == "1") {
    return true;
  }
  throw Error(ErrorKind::usage, "unknown value \"" + value + "\"", name, "set it to 1 or 0, or unset it");
}

}  // namespace

Environment read_environment() {
  Environment environment;
  environment.require_gpu = flag("OPGATE_REQUIRE_GPU");
  environment.require_baseline = flag("OPGATE_REQUIRE_BASELINE");
  environment.resource_groups = flag("OPGATE_RESOURCE_GROUPS");
  const std::string inconclusive = value_of("OPGATE_INCONCLUSIVE");
  if (!inconclusive.empty() && inconclusive != "warn" && inconclusive != "fail") {
    throw Error(ErrorKind::usage, "unknown value \"" + inconclusive + "\"", "OPGATE_INCONCLUSIVE",
                "set it to warn or fail, or unset it");
  }
  environment.inconclusive_is_warning = inconclusive == "warn";
  if (const std::string replay = value_of("OPGATE_REPLAY"); !replay.empty()) {
    environment.replay = replay;
  }
  if (const std::string history = value_of("OPGATE_REPLAY_HISTORY"); !history.empty()) {
    environment.replay_history = history;
  }
  return environment;
}

}  // namespace opgate::run
