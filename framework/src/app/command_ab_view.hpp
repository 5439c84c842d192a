#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "app/command_session.hpp"
#include "run/paired_case.hpp"

namespace opgate::app {

// Comparisons take minutes, so that each row is printed when it is known: columns are as wide as they can get.
[[nodiscard]] std::string paired_header(std::size_t name_width);
[[nodiscard]] std::string paired_row(const run::PairedCase& compared, std::size_t name_width);
// "5 cases: 1 slower, 4 unchanged (3 not measured)".
[[nodiscard]] std::string paired_counts(const std::vector<run::PairedCase>& all);
[[nodiscard]] Json paired_json(const run::PairedCase& compared);

}  // namespace opgate::app
