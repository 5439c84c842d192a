#include "report/page.hpp"

#include "opgate/error.hpp"
#include "report/page_pack.hpp"

namespace opgate::report {

std::string html(const Report& report) {
  constexpr std::string_view kPlace = "@OPGATE_DATA@";
  const std::string_view page = page_template();
  if (page.empty()) {
    throw Error(ErrorKind::io, std::string(page_template_problem()), "report --format html",
                "install Node.js 18 or newer with npm (ci/setup --browser), configure again and build opgate, or use "
                "--format md");
  }
  const std::size_t at = page.find(kPlace);
  if (at == std::string_view::npos) {
    throw Error(ErrorKind::io, "the page has no place for the report", "report --format html", "build opgate anew");
  }
  std::string text(page.substr(0, at));
  text += base64(gzip(page_data(report)));
  return text.append(page.substr(at + kPlace.size()));
}

}  // namespace opgate::report
