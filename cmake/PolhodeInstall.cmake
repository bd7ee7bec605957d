# The headers are independent of the architecture, so their packages go to share/. With the library of the C interface
# the CMake package is not, and goes to lib/, as that library's pkg-config file does.
include(CMakePackageConfigHelpers)
include(GNUInstallDirs)

if(POLHODE_BUILD_C)
  set(package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/polhode")
  set(package_independence "")
else()
  set(package_dir "${CMAKE_INSTALL_DATADIR}/cmake/polhode")
  set(package_independence ARCH_INDEPENDENT)
endif()

install(TARGETS polhode_core EXPORT polhodeTargets)
install(DIRECTORY "${PROJECT_SOURCE_DIR}/include/polhode" DESTINATION include
  FILES_MATCHING PATTERN "*.hpp")
install(FILES "${PROJECT_SOURCE_DIR}/include/polhode_step.h" DESTINATION include)
if(TARGET polhode)
  install(TARGETS polhode RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")
  install(DIRECTORY "${PROJECT_BINARY_DIR}/share/polhode/conformance" DESTINATION "${CMAKE_INSTALL_DATADIR}/polhode")
  install(DIRECTORY "${PROJECT_BINARY_DIR}/share/man/" DESTINATION "${CMAKE_INSTALL_MANDIR}")
  # Where the shells look for them, under the prefix of the system at least.
  install(FILES "${PROJECT_SOURCE_DIR}/completions/polhode.bash"
    DESTINATION "${CMAKE_INSTALL_DATADIR}/bash-completion/completions" RENAME polhode)
  install(FILES "${PROJECT_SOURCE_DIR}/completions/_polhode" DESTINATION "${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions")
  install(FILES "${PROJECT_SOURCE_DIR}/completions/polhode.fish"
    DESTINATION "${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d")
endif()

if(POLHODE_BUILD_C)
  install(TARGETS polhode_c EXPORT polhodeTargets
    LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}"
    ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}"
    RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")
  install(FILES "${PROJECT_SOURCE_DIR}/include/polhode.h" "${PROJECT_SOURCE_DIR}/include/polhode_frb.h"
    DESTINATION include)
  # Fortran's modules and the names of its procedures belong to one compiler: the user compiles the source.
  install(FILES "${PROJECT_SOURCE_DIR}/examples/c/polhode.f90" "${PROJECT_SOURCE_DIR}/examples/c/frb.f90"
    DESTINATION "${CMAKE_INSTALL_DATADIR}/polhode")
  cmake_path(RELATIVE_PATH CMAKE_INSTALL_PREFIX
    BASE_DIRECTORY "${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig" OUTPUT_VARIABLE pc_to_prefix)
  configure_file("${PROJECT_SOURCE_DIR}/src/c/polhode-c.pc.in" "${PROJECT_BINARY_DIR}/polhode-c.pc" @ONLY)
  install(FILES "${PROJECT_BINARY_DIR}/polhode-c.pc" DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig")
endif()

configure_package_config_file("${PROJECT_SOURCE_DIR}/cmake/polhodeConfig.cmake.in"
  "${PROJECT_BINARY_DIR}/polhodeConfig.cmake" INSTALL_DESTINATION "${package_dir}"
  NO_SET_AND_CHECK_MACRO NO_CHECK_REQUIRED_COMPONENTS_MACRO)
write_basic_package_version_file("${PROJECT_BINARY_DIR}/polhodeConfigVersion.cmake"
  COMPATIBILITY SameMinorVersion ${package_independence})
configure_file("${PROJECT_SOURCE_DIR}/cmake/polhode.pc.in" "${PROJECT_BINARY_DIR}/polhode.pc" @ONLY)

# The package works from the build folder as well: -Dpolhode_DIR=<build>.
export(EXPORT polhodeTargets FILE "${PROJECT_BINARY_DIR}/polhodeTargets.cmake" NAMESPACE polhode::)
install(EXPORT polhodeTargets DESTINATION "${package_dir}" NAMESPACE polhode::)
install(FILES "${PROJECT_BINARY_DIR}/polhodeConfig.cmake" "${PROJECT_BINARY_DIR}/polhodeConfigVersion.cmake"
  DESTINATION "${package_dir}")
install(FILES "${PROJECT_BINARY_DIR}/polhode.pc" DESTINATION "${CMAKE_INSTALL_DATADIR}/pkgconfig")
