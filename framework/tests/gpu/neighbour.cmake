# A case beside another process on the same GPU, which is in its output and in its row.
cmake_minimum_required(VERSION 3.25)

# As a pipeline both run at once; the neighbour ends when the case does, because then nobody reads it.
execute_process(
  COMMAND "${NEIGHBOUR}"
  COMMAND sh -c "read -r state && [ \"$state\" = ready ] || exit 77; \"$@\"" sh "${CASE_EXECUTABLE}" ${CASE}
  RESULTS_VARIABLE codes OUTPUT_VARIABLE text ERROR_VARIABLE text)
message("${text}")
list(GET codes -1 code)
if(code EQUAL 77)
  message("opgate test skipped")
  return()
endif()
execute_process(COMMAND "${OPGATE}" show ${CASE} --json OUTPUT_VARIABLE json COMMAND_ERROR_IS_FATAL ANY)
string(REGEX REPLACE "[ \t\n]+" " " text "${text}")
set(wrong "")
if(NOT code EQUAL 0)
  string(APPEND wrong "exit code ${code}, expected 0\n")
endif()
if(NOT text MATCHES "other GPU processes: [0-9]+")
  string(APPEND wrong "no other GPU process in the output\n")
endif()
if(NOT json MATCHES "\"other_processes\": *\\[ *[0-9]+")
  string(APPEND wrong "no other GPU process in: ${json}\n")
endif()
if(wrong)
  message(FATAL_ERROR "${CASE}: ${wrong}")
endif()
