#pragma once

#include <string>
#include <string_view>

#include "report/report.hpp"

namespace opgate::report {

// What the page of html/ reads: the length of a JSON text (four bytes, little-endian), the text, columns of numbers.
[[nodiscard]] std::string page_data(const Report& report);
// One file that needs no other: the page with the report in it. Error(io) where opgate was built without the page.
[[nodiscard]] std::string html(const Report& report);

// The page as the build made it of html/, and where there is none, why.
[[nodiscard]] std::string_view page_template();
[[nodiscard]] std::string_view page_template_problem();

}  // namespace opgate::report
