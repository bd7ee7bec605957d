# Everything but the command is independent of the architecture, so the packages go to share/.
include(CMakePackageConfigHelpers)
include(GNUInstallDirs)

set(package_dir "${CMAKE_INSTALL_DATADIR}/cmake/polhode")

install(TARGETS polhode_core EXPORT polhodeTargets)
install(DIRECTORY "${PROJECT_SOURCE_DIR}/include/polhode" DESTINATION include
  FILES_MATCHING PATTERN "*.hpp")
if(TARGET polhode)
  install(TARGETS polhode RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")
endif()

configure_package_config_file("${PROJECT_SOURCE_DIR}/cmake/polhodeConfig.cmake.in"
  "${PROJECT_BINARY_DIR}/polhodeConfig.cmake" INSTALL_DESTINATION "${package_dir}"
  NO_SET_AND_CHECK_MACRO NO_CHECK_REQUIRED_COMPONENTS_MACRO)
write_basic_package_version_file("${PROJECT_BINARY_DIR}/polhodeConfigVersion.cmake"
  COMPATIBILITY SameMinorVersion ARCH_INDEPENDENT)
configure_file("${PROJECT_SOURCE_DIR}/cmake/polhode.pc.in" "${PROJECT_BINARY_DIR}/polhode.pc" @ONLY)

# The package works from the build folder as well: -Dpolhode_DIR=<build>.
export(EXPORT polhodeTargets FILE "${PROJECT_BINARY_DIR}/polhodeTargets.cmake" NAMESPACE polhode::)
install(EXPORT polhodeTargets DESTINATION "${package_dir}" NAMESPACE polhode::)
install(FILES "${PROJECT_BINARY_DIR}/polhodeConfig.cmake" "${PROJECT_BINARY_DIR}/polhodeConfigVersion.cmake"
  DESTINATION "${package_dir}")
install(FILES "${PROJECT_BINARY_DIR}/polhode.pc" DESTINATION "${CMAKE_INSTALL_DATADIR}/pkgconfig")
