# Untested: see packaging/README.md. Of a release: vcpkg_from_github or vcpkg_download_distfile, in place of the path.
set(SOURCE_PATH "${CMAKE_CURRENT_LIST_DIR}/../../../..")
vcpkg_cmake_configure(SOURCE_PATH "${SOURCE_PATH}"
  OPTIONS -DPOLHODE_BUILD_COMMAND=OFF -DPOLHODE_BUILD_TESTS=OFF -DPOLHODE_BUILD_EXAMPLES=OFF -DPOLHODE_MARCH=none)
vcpkg_cmake_install()
vcpkg_cmake_config_fixup(PACKAGE_NAME polhode CONFIG_PATH lib/cmake/polhode)
vcpkg_fixup_pkgconfig()
file(REMOVE_RECURSE "${CURRENT_PACKAGES_DIR}/debug/include" "${CURRENT_PACKAGES_DIR}/debug/share")
vcpkg_install_copyright(FILE_LIST "${SOURCE_PATH}/LICENSE")
