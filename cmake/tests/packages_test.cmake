# What cpack makes is unpacked, and installed by dpkg into a root of its own; the command of each runs, writes a project, and
# that project configures, builds and passes. Variables: OPGATE_BUILD, CONFIG, VERSION, LAUNCHER, SCRATCH.
cmake_minimum_required(VERSION 3.25)
file(REMOVE_RECURSE "${SCRATCH}")
file(MAKE_DIRECTORY "${SCRATCH}/packages")

set(folder "${SCRATCH}")
include("${CMAKE_CURRENT_LIST_DIR}/run_or_fail.cmake")

function(check_installed prefix)
  run("${prefix}/bin/opgate" --version)
  if(NOT said STREQUAL "opgate ${VERSION}\n")
    message(FATAL_ERROR "${prefix}: it says ${said}")
  endif()
  cmake_path(GET prefix PARENT_PATH above)
  run("${CMAKE_COMMAND}" -D "OPGATE=${prefix}/bin/opgate" "-DOPTION=-DCMAKE_PREFIX_PATH=${prefix}" "-DLAUNCHER=${LAUNCHER}"
    -D "SCRATCH=${above}/used" -P "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/init_test.cmake")
endfunction()

# A distribution without dpkg cannot make or install the second.
find_program(dpkg dpkg)
set(generators TGZ)
if(dpkg)
  list(APPEND generators DEB)
endif()
list(JOIN generators "\\;" generators)
run("${CMAKE_CPACK_COMMAND}" --config "${OPGATE_BUILD}/CPackConfig.cmake" -C "${CONFIG}" -D "CPACK_GENERATOR=${generators}"
  -B "${SCRATCH}/packages")

file(GLOB archive "${SCRATCH}/packages/opgate-${VERSION}-*.tar.gz")
file(ARCHIVE_EXTRACT INPUT "${archive}" DESTINATION "${SCRATCH}/archive")
file(GLOB prefix "${SCRATCH}/archive/opgate-*")
check_installed("${prefix}")

if(dpkg)
  file(GLOB package "${SCRATCH}/packages/opgate_${VERSION}_*.deb")
  run(dpkg-deb --field "${package}" Depends)
  if(NOT said MATCHES "libsqlite3-0" OR said MATCHES "cupti|cuda")
    message(FATAL_ERROR "the package depends on: ${said}")
  endif()
  file(MAKE_DIRECTORY "${SCRATCH}/root/var/updates" "${SCRATCH}/root/var/info")
  file(TOUCH "${SCRATCH}/root/var/status" "${SCRATCH}/root/var/available")
  # The libraries that it depends on are those of this system, where it was built.
  run("${dpkg}" --force-not-root --force-depends "--instdir=${SCRATCH}/root" "--admindir=${SCRATCH}/root/var"
    "--log=${SCRATCH}/dpkg.log" --install "${package}")
  check_installed("${SCRATCH}/root/usr")
endif()
