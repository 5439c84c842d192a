include_guard(GLOBAL)

include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

# Without the app there is nothing for a consumer to link.
if(NOT TARGET opgate::case_main)
  return()
endif()

set(package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/opgate")
get_property(libraries GLOBAL PROPERTY OPGATE_LAYERS)
list(REMOVE_ITEM libraries opgate_commands) # in the opgate command already
if(TARGET opgate_probe)
  list(APPEND libraries opgate_probe)
endif()
install(TARGETS ${libraries} opgate opgate_case EXPORT opgate
  FILE_SET HEADERS DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}"
  FILE_SET cuda_headers DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}"
  INCLUDES DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}")
install(FILES "${PROJECT_SOURCE_DIR}/specs/op.schema.json" DESTINATION "${CMAKE_INSTALL_DATADIR}/opgate")
install(FILES "${PROJECT_SOURCE_DIR}/README.md" "${PROJECT_SOURCE_DIR}/CHANGELOG.md" DESTINATION "${CMAKE_INSTALL_DOCDIR}")
install(EXPORT opgate NAMESPACE opgate:: FILE opgateTargets.cmake DESTINATION "${package_dir}")

configure_package_config_file("${PROJECT_SOURCE_DIR}/cmake/opgateConfig.cmake.in" opgateConfig.cmake
  INSTALL_DESTINATION "${package_dir}" NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file(opgateConfigVersion.cmake COMPATIBILITY SameMinorVersion)
set(modules Opgate OpgateSpec OpgateSpecErrors OpgateSpecKeys OpgateKnownSpecs OpgateWorkloads OpgateEachWorkload OpgateCases OpgateProject OpgateLinkDependencies OpgateCudaToolkit)
list(TRANSFORM modules PREPEND "${PROJECT_SOURCE_DIR}/cmake/")
list(TRANSFORM modules APPEND .cmake)
install(FILES ${modules} "${CMAKE_CURRENT_BINARY_DIR}/opgateConfig.cmake"
  "${CMAKE_CURRENT_BINARY_DIR}/opgateConfigVersion.cmake" DESTINATION "${package_dir}")

# cpack --config <build>/CPackConfig.cmake: an archive that is unpacked anywhere, and a Debian package for this distribution.
if(PROJECT_IS_TOP_LEVEL)
  set(CPACK_GENERATOR TGZ DEB)
  set(CPACK_PACKAGE_NAME opgate)
  set(CPACK_PACKAGE_CONTACT "opgate maintainers <opgate@localhost>" CACHE STRING "Whom the Debian package names as its maintainer")
  set(CPACK_PACKAGE_DIRECTORY "${PROJECT_BINARY_DIR}/packages")
  set(CPACK_STRIP_FILES ON)
  set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
  set(CPACK_DEBIAN_PACKAGE_SECTION devel)
  set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
  # What a project that links an installed opgate needs; the command alone needs its libraries only.
  set(CPACK_DEBIAN_PACKAGE_RECOMMENDS
    "cmake (>= 3.25), g++, libfmt-dev, libpugixml-dev, libsqlite3-dev, zlib1g-dev")
  include(CPack)
endif()
