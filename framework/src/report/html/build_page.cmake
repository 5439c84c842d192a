# Makes page_template.cpp of the sources beside this script: npm ci into WORK, bundle, embed. Run at build time with
# -D SOURCE -D WORK -D OUTPUT -D NODE -D NPM -D REQUIRED; without NODE or NPM, or where the packages cannot be had,
# the file says why there is no page, unless REQUIRED makes that an error.
cmake_minimum_required(VERSION 3.25)

set(problem "")
set(page "${WORK}/page.html")
file(MAKE_DIRECTORY "${WORK}")
file(REMOVE "${page}")
if(NOT NODE OR NOT NPM)
  set(problem "opgate was built without Node.js, which makes the page")
else()
  file(COPY "${SOURCE}/package.json" "${SOURCE}/package-lock.json" DESTINATION "${WORK}")
  execute_process(
    COMMAND "${NPM}" ci --ignore-scripts --no-audit --no-fund --prefer-offline --fetch-retries=1 --fetch-timeout=30000
    WORKING_DIRECTORY "${WORK}" RESULT_VARIABLE failed OUTPUT_VARIABLE said ERROR_VARIABLE said)
  if(failed)
    set(problem "npm could not fetch what the page is made of when opgate was built")
  else()
    execute_process(COMMAND "${NODE}" "${SOURCE}/build.mjs" "${SOURCE}" "${WORK}/node_modules" "${page}"
      RESULT_VARIABLE failed OUTPUT_VARIABLE said ERROR_VARIABLE said)
    if(failed)
      message(FATAL_ERROR "${SOURCE}: the page does not build\n${said}")
    endif()
  endif()
endif()

set(bytes "")
if(problem)
  if(REQUIRED)
    message(FATAL_ERROR "report page: ${problem}\n${said}\n  fix: install Node.js 18 or newer with npm and let it reach "
      "its registry, or configure with -DOPGATE_HTML_REPORT=AUTO")
  endif()
  message(STATUS "report page: ${problem}; opgate report --format html will say so")
else()
  file(READ "${page}" bytes HEX)
  string(REGEX REPLACE "(..)" "'\\\\x\\1'," bytes "${bytes}")
endif()
file(WRITE "${OUTPUT}.part" "#include \"report/page.hpp\"

namespace opgate::report {
namespace {

constexpr char kPage[] = {${bytes}'\\0'};

}  // namespace

std::string_view page_template() {
  return {kPage, sizeof kPage - 1};
}

std::string_view page_template_problem() {
  return \"${problem}\";
}

}  // namespace opgate::report
")
file(RENAME "${OUTPUT}.part" "${OUTPUT}")
