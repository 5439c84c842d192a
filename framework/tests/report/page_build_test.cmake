# build_page.cmake without Node.js, and with an npm that fails: a file without the page that says why, or an error
# where the page is required.
cmake_minimum_required(VERSION 3.25)

file(REMOVE_RECURSE "${SCRATCH}")
file(MAKE_DIRECTORY "${SCRATCH}")

function(build node npm required)
  execute_process(COMMAND "${CMAKE_COMMAND}" -D "SOURCE=${HTML}" -D "WORK=${SCRATCH}/page" -D "OUTPUT=${SCRATCH}/page.cpp"
    -D "NODE=${node}" -D "NPM=${npm}" -D "REQUIRED=${required}" -P "${HTML}/build_page.cmake"
    RESULT_VARIABLE code OUTPUT_VARIABLE said ERROR_VARIABLE said)
  set(code "${code}" PARENT_SCOPE)
  set(said "${said}" PARENT_SCOPE)
endfunction()

function(expect what expected)
  file(READ "${SCRATCH}/page.cpp" text)
  if(NOT code EQUAL 0 OR NOT text MATCHES "return \"${expected}" OR NOT text MATCHES "kPage\\[\\] = {'.0'}")
    message(FATAL_ERROR "${what}: exit ${code}\n${said}\n${text}")
  endif()
endfunction()

find_program(false_program NAMES false REQUIRED)
build("" "" FALSE)
expect("without Node.js" "opgate was built without Node.js")
build("${false_program}" "${false_program}" FALSE)
expect("without a registry" "npm could not fetch")
build("" "" TRUE)
if(code EQUAL 0 OR NOT said MATCHES "fix: install Node.js 18 or newer")
  message(FATAL_ERROR "required and missing: exit ${code}\n${said}")
endif()
