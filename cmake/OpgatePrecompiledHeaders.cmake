include_guard(GLOBAL)

# What most unit tests include of others, compiled once for all of them. Never exported, and no test may count on it: the preset
# asan and builds with ccache do without. The layers gain too little: what takes their time is generating code.
set(OPGATE_TEST_HEADERS <boost/test/unit_test.hpp> <algorithm> <filesystem> <fmt/format.h> <fstream> <functional> <map>
  <nlohmann/json.hpp> <optional> <regex> <string> <vector>)

# opgate_precompile(target owner header ...): the owner compiles the headers; every other target, which must have its flags, uses that.
function(opgate_precompile target owner)
  # ccache refuses sources with precompiled headers unless it is told to be sloppy, and what it remembers saves more.
  if(OPGATE_PRECOMPILED_HEADERS STREQUAL "OFF" OR (OPGATE_PRECOMPILED_HEADERS STREQUAL "AUTO" AND CMAKE_CXX_COMPILER_LAUNCHER))
    return()
  endif()
  if(target STREQUAL owner)
    target_precompile_headers(${target} PRIVATE ${ARGN})
  else()
    target_precompile_headers(${target} REUSE_FROM ${owner})
  endif()
endfunction()
