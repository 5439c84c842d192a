#include "core/fill.hpp"

namespace opgate::core {

const char* to_string(FillKind kind) noexcept {
  switch (kind) {
    case FillKind::uniform:
      return "uniform";
    case FillKind::normal:
      return "normal";
    case FillKind::large:
      return "large";
    case FillKind::below:
      return "below";
    case FillKind::offsets:
      return "offsets";
  }
  return "";
}

std::string describe(const Fill& fill) {
  const std::string kind = to_string(fill.kind);
  return has_bound(fill.kind) ? kind + " " + std::to_string(fill.bound) : kind;
}

}  // namespace opgate::core
