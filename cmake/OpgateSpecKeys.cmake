include_guard(GLOBAL)
cmake_policy(VERSION 3.25...4.0)

include("${CMAKE_CURRENT_LIST_DIR}/OpgateSpecErrors.cmake")

# The keys that the C++ loader refuses when a case runs: unknown ones of the op and of a workload, and those that one object
# holds twice. `rest`, without the workloads, and `workloads` are as string(JSON) writes them: one layout, and of keys that
# are there twice one. So a good spec costs a glance at them, which must stay short for 1,000 specs; where anything is odd,
# the text itself is gone through.
function(opgate_check_keys spec text rest workloads)
  string(REGEX MATCHALL "\n  \"[^\"\n]*\"" odd "${rest}")
  list(REMOVE_ITEM odd "\n  \"$schema\"" "\n  \"op\"" "\n  \"doc\"" "\n  \"inputs\"" "\n  \"outputs\"" "\n  \"params\"" "\n  \"fill\""
    "\n  \"flops\"" "\n  \"bytes_read\"" "\n  \"bytes_written\"" "\n  \"dtypes\"" "\n  \"baselines\"" "\n  \"requires\"" "\n  \"copies\""
    "\n  \"tolerance\"" "\n  \"why\"" "\n  \"labels\"" "\n  \"timeout_s\"" "\n  \"iterations\"")

  # Every word of the shapes, fills and formulas may be a dimension. Without shapes nobody knows what is one.
  string(REGEX MATCHALL "\n(    \"[^\"\n]*\"|  \"(flops|bytes_read|bytes_written)\") : \"[^\"\n]*\"" formulas "${rest}")
  string(REGEX REPLACE "\n *\"[^\"]*\" : " "" formulas "${formulas}")
  string(REGEX MATCHALL "[A-Za-z][A-Za-z0-9_]*" dimensions "${formulas}")
  list(REMOVE_DUPLICATES dimensions)
  set(unknown -1)
  if(NOT dimensions STREQUAL "")
    set(left "${workloads}")
    foreach(key IN ITEMS name params labels tolerance why fill timeout_s iterations LISTS dimensions)
      string(REPLACE "\n    \"${key}\" :" "" left "${left}")
    endforeach()
    string(FIND "${left}" "\n    \"" unknown)
  endif()

  # A key that is gone took its colon along. The key "workloads" itself is in neither.
  string(REPLACE ":" "" plain "${text}")
  string(REPLACE ":" "" plain_parts "${rest}${workloads}")
  string(LENGTH "${text}${plain_parts}" length)
  string(LENGTH "${plain}${rest}${workloads}:" wanted)
  if(NOT odd STREQUAL "" OR NOT unknown EQUAL -1 OR NOT length EQUAL wanted)
    opgate_go_through_keys("${spec}" "${text}" "${dimensions}")
  endif()
endfunction()

# Fails at the first key that is wrong. Keys with escapes, brackets or semicolons are left to the C++ loader.
function(opgate_go_through_keys spec text dimensions)
  set(of_op [[$schema]] op doc inputs outputs params fill flops bytes_read bytes_written dtypes baselines requires copies tolerance why labels
    timeout_s iterations workloads)
  set(of_workload name params labels tolerance why fill timeout_s iterations)
  # What would end a string, or split or join the items of a list.
  string(ASCII 1 other)
  string(REPLACE "\\\\" "${other}" text "${text}")
  string(REPLACE "\\\"" "${other}" text "${text}")
  string(REGEX REPLACE "[][;]" "${other}" text "${text}")
  string(REGEX MATCHALL "\"[^\"]*\"([ \t\r\n]*:)?|[{}\n]" tokens "${text}")
  set(line 1)
  set(depth 0)
  set(objects 0)
  foreach(token IN LISTS tokens)
    if(token STREQUAL "\n")
      math(EXPR line "${line} + 1")
    elseif(token STREQUAL "{")
      math(EXPR depth "${depth} + 1")
      math(EXPR objects "${objects} + 1")
      set(object_${depth} ${objects})
    elseif(token STREQUAL "}")
      math(EXPR depth "${depth} - 1")
    elseif(token MATCHES "^\"([^\"\\${other}]*)\"[^\"]*:$")
      set(key "${CMAKE_MATCH_1}")
      set(seen "key ${object_${depth}} ${key}")
      if(DEFINED "${seen}")
        opgate_fail("${spec}:${line}" "key \"${key}\" appears twice in one object" "remove one of the two")
      endif()
      set("${seen}" ON)
      opgate_check_known_key("${spec}:${line}")
      string(REGEX REPLACE "[^\n]" "" breaks "${token}")
      string(LENGTH "${breaks}" breaks)
      math(EXPR line "${line} + ${breaks}")
    endif()
  endforeach()
endfunction()

macro(opgate_check_known_key where)
  if(depth EQUAL 1)
    set(region "${key}")
    if(NOT key IN_LIST of_op)
      list(JOIN of_op ", " known)
      opgate_fail("${where}" "unknown key \"${key}\"" "remove it; known keys are ${known}")
    endif()
  elseif(depth EQUAL 2 AND region STREQUAL "workloads" AND NOT dimensions STREQUAL "" AND NOT key IN_LIST of_workload
      AND NOT key IN_LIST dimensions)
    list(JOIN of_workload ", " known)
    opgate_fail("${where}" "unknown key \"${key}\" of a workload" "remove it; known keys are ${known}, and the dimensions of the op's shapes")
  endif()
endmacro()
