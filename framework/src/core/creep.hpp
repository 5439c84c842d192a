#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/verdict.hpp"

namespace opgate::core {

// When a baseline was accepted, and at which commit.
struct AcceptedAt {
  std::string when;
  std::string commit;
};

// Gives each level of `next` (units, model, their kernel groups) its origin: that of the same level in `before`, else
// the centre of that level there, else its own. An accepted centre that is faster than the origin by more than its
// limits becomes the origin. Without `before` every level starts anew.
void set_origins(CaseBaseline& next, const CaseBaseline* before, const AcceptedAt& then, const AcceptedAt& now,
                 const RuleOptions& options, double tick_ns);

// An accepted centre that is slower than its origin by more than the budget.
struct Drift {
  std::string level;  // "all units", a GPU UUID, or either and a kernel group
  double change = 0;  // fraction
  double limit = 0;
  std::string since;
};
[[nodiscard]] std::vector<Drift> drifts_of(const CaseBaseline& baseline, const RuleOptions& options, double tick_ns);

}  // namespace opgate::core
