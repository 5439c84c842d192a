include_guard(GLOBAL)
cmake_policy(VERSION 3.25...4.0)

include("${CMAKE_CURRENT_LIST_DIR}/OpgateSpecErrors.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/OpgateEachWorkload.cmake")

# [ "nightly", "gate" ] -> nightly;gate. region and pattern: where opgate_place_in_spec finds it.
function(opgate_parse_words spec key json out region pattern)
  string(REGEX MATCHALL "\"[a-z0-9][a-z0-9_-]*\"" words "${json}")
  string(REGEX REPLACE "\"[a-z0-9][a-z0-9_-]*\"" "" rest "${json}")
  if(NOT rest MATCHES "^[[][], \n]*$")
    opgate_place_in_spec(where "${spec}" ${region} "${pattern}")
    opgate_fail("${where}" "\"${key}\" must be an array of words, not ${json}" "use lower-case letters, digits, - and _ only")
  endif()
  string(REPLACE "\"" "" words "${words}")
  set(${out} "${words}" PARENT_SCOPE)
endfunction()

function(opgate_parse_timeout spec value out region pattern)
  if(NOT value MATCHES "^[1-9][0-9]*$")
    opgate_place_in_spec(where "${spec}" ${region} "${pattern}")
    opgate_fail("${where}" "\"timeout_s\" must be a whole number of seconds, not ${value}" "write e.g. \"timeout_s\": 60")
  endif()
  set(${out} "${value}" PARENT_SCOPE)
endfunction()

# Sets names, workload_labels ("a,b", or "-") and timeouts in the caller: lists of equal length.
#
# string(JSON) parses its whole text at every call, which for 1,000 specs of 20 workloads takes seconds. But it gives the
# array back in one layout whatever the spec's was: members in alphabetical order, each workload's own ones on lines
# that start with four blanks, line breaks inside strings escaped. So one pass over lines reads it. An array that does
# not yield one good name per workload is read element by element, which finds what is wrong.
function(opgate_read_workloads spec workloads default_timeout)
  # The three characters that CMake's own lists treat specially; a raw tab cannot be in the text.
  string(REPLACE ";" "\t" lines "\n${workloads}")
  string(REPLACE "[" "(" lines "${lines}")
  string(REPLACE "]" ")" lines "${lines}")
  string(REGEX MATCHALL
    "\n  {|\n    \"labels\" : *\n? *\\([^)]*\\)|\n    \"labels\" : [^\n]*|\n    \"name\" : \"[a-z0-9][a-z0-9_-]*\"|\n    \"timeout_s\" : [^,\n]*"
    members "${lines}")
  opgate_collect_workloads("${spec}" "${workloads}" "${members}" "${default_timeout}")
  string(JSON count LENGTH "${workloads}")
  list(LENGTH names length)
  if(NOT length EQUAL count)
    opgate_read_each_workload("${spec}" "${workloads}" "${default_timeout}")
    list(LENGTH names length)
  endif()
  if(NOT length EQUAL count)
    opgate_fail("${spec}" "${length} of its ${count} workloads could be told apart" "write one workload per line")
  endif()
  foreach(result IN ITEMS names workload_labels timeouts)
    set(${result} "${${result}}" PARENT_SCOPE)
  endforeach()
endfunction()

# Whole lists at a time: a step per workload takes seconds at 20,000 of them. A workload without a good name, with labels
# that are no array of words or a timeout that is no whole number makes no record: then there are no names at all.
function(opgate_collect_workloads spec workloads members default_timeout)
  list(JOIN members "|" text)
  string(REGEX MATCHALL
    "\n  {[|](\n    \"labels\" : *\n? *\\([^)]*\\)[|])?\n    \"name\" : \"[^\"]*\"[|](\n    \"timeout_s\" : [1-9][0-9]*[|])?"
    records "${text}|")
  string(REPLACE ";" "" understood "${records}")
  if(NOT understood STREQUAL "${text}|")
    set(records "")
  endif()
  string(REGEX REPLACE "\n  {[^;]*\n    \"name\" : \"([^\"]*)\"[^;]*" "\\1" names "${records}")
  string(REGEX REPLACE "\n  {[^;]*\n    \"name\" : \"[^\"]*\"[|](\n    \"timeout_s\" : )?([0-9]*)[|]?" "\\2 " timeouts "${records}")
  string(REGEX REPLACE "(^|;) " "\\1${default_timeout}" timeouts "${timeouts}")
  string(REPLACE " " "" timeouts "${timeouts}")

  string(REGEX REPLACE "\n  {[|](\n    \"labels\" : *\n? *)?([^;|]*)[|]?\n    \"name\"[^;]*" "=\\2" labels "${records}")
  set(distinct "${labels}")
  list(REMOVE_DUPLICATES distinct)
  list(REMOVE_ITEM distinct "=")
  foreach(array IN LISTS distinct)
    string(REGEX REPLACE "\"[a-z0-9][a-z0-9_-]*\"" "" rest "${array}")
    if(NOT rest MATCHES "^=[(][, \n)]*$")
      # Named here, as looking for it element by element takes seconds for 500 workloads.
      list(FIND labels "${array}" index)
      list(GET names ${index} name)
      opgate_key_pattern(pattern name "${name}")
      string(JSON value GET "${workloads}" ${index} labels)
      opgate_parse_words("${spec}" labels "${value}" words WORKLOADS "${pattern}")
    endif()
  endforeach()
  # They hold words, and what separates them, only.
  string(REGEX REPLACE "[]\" \n()[]" "" labels "${labels}")
  string(REGEX REPLACE "=(;|$)" "-\\1" labels "${labels}")
  string(REPLACE "=" "" labels "${labels}")
  set(names "${names}" PARENT_SCOPE)
  set(workload_labels "${labels}" PARENT_SCOPE)
  set(timeouts "${timeouts}" PARENT_SCOPE)
endfunction()
