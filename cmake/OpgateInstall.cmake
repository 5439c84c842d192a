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
  INCLUDES DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}")
install(DIRECTORY "${PROJECT_SOURCE_DIR}/framework/include/opgate" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}")
install(EXPORT opgate NAMESPACE opgate:: FILE opgateTargets.cmake DESTINATION "${package_dir}")

configure_package_config_file("${PROJECT_SOURCE_DIR}/cmake/opgateConfig.cmake.in" opgateConfig.cmake
  INSTALL_DESTINATION "${package_dir}" NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file(opgateConfigVersion.cmake COMPATIBILITY SameMinorVersion)
set(modules Opgate OpgateSpec OpgateWorkloads OpgateCases OpgateProject OpgateLinkDependencies OpgateCudaToolkit)
list(TRANSFORM modules PREPEND "${PROJECT_SOURCE_DIR}/cmake/")
list(TRANSFORM modules APPEND .cmake)
install(FILES ${modules} "${CMAKE_CURRENT_BINARY_DIR}/opgateConfig.cmake"
  "${CMAKE_CURRENT_BINARY_DIR}/opgateConfigVersion.cmake" DESTINATION "${package_dir}")
