#pragma once

#include <string>
#include <vector>

#include "report/report.hpp"

namespace opgate::report {

// One object a line: "record": "run" first, then a "record": "case" for each case. Fields are named as in the --json of
// judge, history and export; what is not known is null.
[[nodiscard]] std::vector<std::string> report_json(const Report& report);
// RFC 4180: a head, then a line for each case. What is not known is empty.
[[nodiscard]] std::string report_csv(const Report& report);

}  // namespace opgate::report
