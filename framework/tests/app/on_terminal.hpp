#pragma once

#include <string>
#include <vector>

namespace opgate::tests {

// What the opgate command writes to a terminal of 80 columns that it is run in, as typed in `folder`. `in_ci`: as in a
// job of a CI system.
[[nodiscard]] std::string on_terminal(const std::vector<std::string>& words, const std::string& folder,
                                      bool in_ci = false);

}  // namespace opgate::tests
