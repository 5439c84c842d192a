# A small project around the modules. Variables of the scripts: MODULES, SCRATCH.
cmake_minimum_required(VERSION 3.25)

set(source "${SCRATCH}/source")
set(build "${SCRATCH}/build")

function(write_spec path text)
  file(WRITE "${source}/${path}" "${text}")
endfunction()

# A spec of one line, with two workloads.
function(write_small_spec op)
  write_spec(specs/${op}.json "{\"op\": \"${op}\", \"dtypes\": [\"f16\"],
    \"workloads\": [{\"name\": \"small\", \"n\": 1}, {\"name\": \"large\", \"n\": 9, \"labels\": [\"nightly\"]}]}")
endfunction()

function(start_project)
  file(REMOVE_RECURSE "${SCRATCH}")
  file(MAKE_DIRECTORY "${source}/specs")
  # ctest shows the command of a test only when the program is there.
  foreach(program IN ITEMS command case_runner)
    file(WRITE "${source}/${program}" "#!/bin/sh\n")
    file(CHMOD "${source}/${program}" PERMISSIONS OWNER_READ OWNER_EXECUTE)
  endforeach()
endfunction()

# Writes the top CMakeLists.txt; `enable` is enable_testing() or nothing.
function(write_project enable body)
  file(WRITE "${source}/CMakeLists.txt" "cmake_minimum_required(VERSION 3.25)
project(tiny LANGUAGES NONE)
${enable}
foreach(program IN ITEMS command case_runner)
  add_executable(opgate::\${program} IMPORTED GLOBAL)
  set_target_properties(opgate::\${program} PROPERTIES IMPORTED_LOCATION \"\${CMAKE_SOURCE_DIR}/\${program}\")
endforeach()
include(\"${MODULES}/Opgate.cmake\")
${body}
")
endfunction()

# Configures; sets result and output, whose white space is one blank each, because CMake wraps messages.
macro(configure)
  execute_process(COMMAND "${CMAKE_COMMAND}" -S "${source}" -B "${build}" ${ARGN}
    RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
  string(REGEX REPLACE "[ \n]+" " " output "${output}")
endmacro()

macro(expect_configured)
  configure(${ARGN})
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "configure failed:\n${output}")
  endif()
endmacro()

macro(expect_refused what)
  configure()
  string(FIND "${output}" "${what}" found)
  if(result EQUAL 0 OR found EQUAL -1 OR NOT output MATCHES " fix: [a-z]")
    message(SEND_ERROR "wanted configure to fail with, and with a fix:\n  ${what}\nbut it gave ${result}:\n  ${output}")
  endif()
endmacro()

# Sets tests (JSON of ctest --show-only) and names (of the selected tests, sorted).
macro(list_tests)
  execute_process(COMMAND "${CMAKE_CTEST_COMMAND}" --show-only=json-v1 ${ARGN}
    WORKING_DIRECTORY "${build}" OUTPUT_VARIABLE shown COMMAND_ERROR_IS_FATAL ANY)
  string(JSON tests GET "${shown}" tests)
  string(JSON count LENGTH "${tests}")
  set(names "")
  if(count GREATER 0)
    math(EXPR last "${count} - 1")
    foreach(index RANGE ${last})
      string(JSON name GET "${tests}" ${index} name)
      list(APPEND names "${name}")
    endforeach()
  endif()
  list(SORT names)
endmacro()

macro(expect_equal what got wanted)
  if(NOT "${got}" STREQUAL "${wanted}")
    message(SEND_ERROR "${what}: ${got}\n  wanted: ${wanted}")
  endif()
endmacro()

# One property of one test of list_tests, as a list; COMMAND gives the command.
function(test_value test property out)
  string(JSON count LENGTH "${tests}")
  math(EXPR last "${count} - 1")
  set(value NOTFOUND)
  foreach(index RANGE ${last})
    string(JSON name GET "${tests}" ${index} name)
    if(name STREQUAL test AND property STREQUAL "COMMAND")
      string(JSON value GET "${tests}" ${index} command)
    elseif(name STREQUAL test)
      string(JSON properties LENGTH "${tests}" ${index} properties)
      math(EXPR last_property "${properties} - 1")
      foreach(number RANGE ${last_property})
        string(JSON key GET "${tests}" ${index} properties ${number} name)
        if(key STREQUAL property)
          string(JSON value GET "${tests}" ${index} properties ${number} value)
        endif()
      endforeach()
    endif()
  endforeach()
  if(value MATCHES "^\\[")
    string(REGEX MATCHALL "\"[^\"]*\"" value "${value}")
    string(REPLACE "\"" "" value "${value}")
  endif()
  if(property STREQUAL "LABELS")
    list(SORT value)
  endif()
  set(${out} "${value}" PARENT_SCOPE)
endfunction()
