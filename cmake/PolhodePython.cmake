# polhode_python: the Python module, which is polhode_motion and needs none of the command's libraries. The package is put
# together in build/python/polhode, where the tests import it; the component `python` of the installation is the same folder,
# for setup.py.

# Another interpreter may stand first on the path; Debian's modules belong to the system's.
if(NOT Python_EXECUTABLE)
  find_program(Python_EXECUTABLE python3 PATHS /usr/bin NO_DEFAULT_PATH)
endif()
find_package(Python 3.9 REQUIRED COMPONENTS Interpreter Development.Module NumPy)
find_package(pybind11 2.10 REQUIRED)

set(python_package "${PROJECT_BINARY_DIR}/python/polhode")
file(GLOB python_sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/python/src/*.cpp" "${PROJECT_SOURCE_DIR}/python/src/*/*.cpp")
pybind11_add_module(polhode_python MODULE NO_EXTRAS ${python_sources})
set_target_properties(polhode_python PROPERTIES
  OUTPUT_NAME _core
  CXX_VISIBILITY_PRESET hidden
  VISIBILITY_INLINES_HIDDEN ON
  LIBRARY_OUTPUT_DIRECTORY "${python_package}")
target_include_directories(polhode_python PRIVATE "${PROJECT_SOURCE_DIR}/python/src")
target_link_libraries(polhode_python PRIVATE
  polhode::polhode polhode_motion polhode_options Python::NumPy)
# Every source begins with pybind11, which is half of what there is to compile.
target_precompile_headers(polhode_python PRIVATE "${PROJECT_SOURCE_DIR}/python/src/precompiled.hpp")
# What moves bodies is joined into one source: most of the time goes to the core, which each of several would compile again. In one
# source with what calls them, the functions of a user's system are inlined everywhere (minutes and gigabytes): they stay by themselves.
set_target_properties(polhode_python PROPERTIES UNITY_BUILD ${POLHODE_JOIN_SOURCES} UNITY_BUILD_MODE GROUP)
set(python_joined ${python_sources})
list(FILTER python_joined EXCLUDE REGEX "/coordinates/(position_function|system_functions)\\.cpp$")
set(python_joined_coordinates ${python_joined})
list(FILTER python_joined_coordinates INCLUDE REGEX "/coordinates/")
list(REMOVE_ITEM python_joined ${python_joined_coordinates})
set_source_files_properties(${python_joined} PROPERTIES UNITY_GROUP bodies)
set_source_files_properties(${python_joined_coordinates} PROPERTIES UNITY_GROUP coordinates)

# The sources that need no compiler, beside what was compiled.
file(GLOB python_files CONFIGURE_DEPENDS RELATIVE "${PROJECT_SOURCE_DIR}/python/polhode"
  "${PROJECT_SOURCE_DIR}/python/polhode/*.py" "${PROJECT_SOURCE_DIR}/python/polhode/*.pyi"
  "${PROJECT_SOURCE_DIR}/python/polhode/py.typed")
set(python_copies "")
foreach(file IN LISTS python_files)
  add_custom_command(OUTPUT "${python_package}/${file}"
    COMMAND "${CMAKE_COMMAND}" -E copy "${PROJECT_SOURCE_DIR}/python/polhode/${file}" "${python_package}/${file}"
    DEPENDS "${PROJECT_SOURCE_DIR}/python/polhode/${file}" VERBATIM)
  list(APPEND python_copies "${python_package}/${file}")
endforeach()
add_custom_target(polhode_python_package ALL DEPENDS ${python_copies})
add_dependencies(polhode_python_package polhode_python)

install(TARGETS polhode_python LIBRARY DESTINATION polhode COMPONENT python EXCLUDE_FROM_ALL)
install(FILES ${python_copies} DESTINATION polhode COMPONENT python EXCLUDE_FROM_ALL)

if(POLHODE_BUILD_TESTS AND TARGET polhode)
  file(GLOB python_tests CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/python/tests/test_*.py")
  foreach(file IN LISTS python_tests)
    cmake_path(GET file STEM name)
    string(REGEX REPLACE "^test_" "python." name "${name}")
    add_test(NAME ${name} COMMAND "${Python_EXECUTABLE}" -m pytest -q -p no:cacheprovider "${file}"
      WORKING_DIRECTORY "${PROJECT_BINARY_DIR}/python")
    set_tests_properties(${name} PROPERTIES ENVIRONMENT
      "PYTHONPATH=${PROJECT_BINARY_DIR}/python;PYTHONDONTWRITEBYTECODE=1;MPLBACKEND=Agg;POLHODE_COMMAND=$<TARGET_FILE:polhode>;POLHODE_SOURCE=${PROJECT_SOURCE_DIR};POLHODE_BUILD=${PROJECT_BINARY_DIR}")
  endforeach()
  # 5: pytest found nothing to run. That is no failure of this one, which needs PyTorch; a file without tests is one elsewhere.
  set_tests_properties(python.torch PROPERTIES SKIP_RETURN_CODE 5)
endif()
