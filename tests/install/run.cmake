# Installs into an empty prefix, then builds and runs the consumers twice: by find_package and by pkg-config; and the one in C++ from the
# sources, by add_subdirectory and FetchContent. Those in C are an example, which prints what it prints in the build folder.
cmake_policy(SET CMP0057 NEW)  # if(... IN_LIST ...)
function(run)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "OUTPUT" "COMMAND")
  execute_process(COMMAND ${arg_COMMAND} OUTPUT_VARIABLE output ERROR_VARIABLE errors RESULT_VARIABLE status
    OUTPUT_STRIP_TRAILING_WHITESPACE)
  if(NOT status EQUAL 0)
    list(JOIN arg_COMMAND " " command)
    message(FATAL_ERROR "${command}\nexit status ${status}\n${output}\n${errors}")
  endif()
  if(arg_OUTPUT)
    set(${arg_OUTPUT} "${output}" PARENT_SCOPE)
  endif()
endfunction()

function(expect_version program)
  run(COMMAND "${program}" OUTPUT output)
  if(NOT output STREQUAL VERSION)
    message(FATAL_ERROR "${program} printed '${output}', expected '${VERSION}'")
  endif()
endfunction()

function(expect_example program name)
  execute_process(COMMAND "${CMAKE_COMMAND}" "-DPROGRAM=${program}" "-DOUTPUT=${program}.output"
    "-DEXPECTED=${c_examples}/${name}.expected" -P "${SOURCE}/../../cmake/RunExample.cmake"
    COMMAND_ERROR_IS_FATAL ANY)
endfunction()

function(read_cache name result)
  file(STRINGS "${BUILD}/CMakeCache.txt" line REGEX "^${name}:")
  string(REGEX REPLACE "^[^=]*=" "" value "${line}")
  set(${result} "${value}" PARENT_SCOPE)
endfunction()

# A program that is not sanitized cannot load a library that is.
read_cache(POLHODE_BUILD_C with_c)
read_cache(POLHODE_SANITIZE sanitizers)
find_program(c_compiler NAMES cc gcc clang)
if(sanitizers OR NOT c_compiler)
  set(with_c OFF)
endif()
if(NOT with_c)
  message(STATUS "the consumers in C are left out")
endif()
set(c_examples "${SOURCE}/../../examples/c")

unset(ENV{DESTDIR})
set(prefix "${WORK}/prefix")
file(REMOVE_RECURSE "${WORK}")
run(COMMAND "${CMAKE_COMMAND}" --install "${BUILD}" --prefix "${prefix}")

run(COMMAND "${CMAKE_COMMAND}" -S "${SOURCE}" -B "${WORK}/consumer" -G "${GENERATOR}"
  "-DCMAKE_CXX_COMPILER=${COMPILER}" "-DCMAKE_PREFIX_PATH=${prefix}"
  "-DWITH_C=${with_c}" "-DC_EXAMPLE=${c_examples}/tumbling.c")
run(COMMAND "${CMAKE_COMMAND}" --build "${WORK}/consumer")
expect_version("${WORK}/consumer/consumer")
if(with_c)
  expect_example("${WORK}/consumer/consumer_c" tumbling)
endif()

# A project that takes the sources gets the headers and nothing else.
foreach(way IN ITEMS add_subdirectory FetchContent)
  run(COMMAND "${CMAKE_COMMAND}" -S "${SOURCE}" -B "${WORK}/${way}" -G "${GENERATOR}" "-DCMAKE_CXX_COMPILER=${COMPILER}"
    "-DWAY=${way}" "-DPOLHODE_SOURCE=${SOURCE}/../..")
  run(COMMAND "${CMAKE_COMMAND}" --build "${WORK}/${way}")
  expect_version("${WORK}/${way}/consumer")
  run(COMMAND "${CMAKE_COMMAND}" --install "${WORK}/${way}" --prefix "${WORK}/${way}-prefix")
  if(EXISTS "${WORK}/${way}-prefix/include")
    message(FATAL_ERROR "${way}: the project of somebody else would install polhode, too")
  endif()
endforeach()

# The manual pages and completions that are installed with the command.
if(EXISTS "${prefix}/bin/polhode")
  run(COMMAND bash "${SOURCE}/manual" "${prefix}")
endif()

find_program(pkg_config pkg-config)
if(pkg_config)
  set(ENV{PKG_CONFIG_PATH} "${prefix}/share/pkgconfig")
  run(COMMAND "${pkg_config}" --modversion polhode OUTPUT output)
  if(NOT output STREQUAL VERSION)
    message(FATAL_ERROR "pkg-config reports '${output}', expected '${VERSION}'")
  endif()
  run(COMMAND "${pkg_config}" --cflags polhode OUTPUT flags)
  separate_arguments(flags)
  foreach(flag IN ITEMS -std=c++20 -ffp-contract=off)
    if(NOT flag IN_LIST flags)
      message(FATAL_ERROR "pkg-config --cflags polhode gives '${flags}', without ${flag}")
    endif()
  endforeach()
  run(COMMAND "${COMPILER}" ${flags} "${SOURCE}/consumer.cpp" -o "${WORK}/consumer_pkg_config")
  expect_version("${WORK}/consumer_pkg_config")

  if(with_c)
    file(GLOB_RECURSE file "${prefix}/polhode-c.pc")
    cmake_path(GET file PARENT_PATH folder)
    set(ENV{PKG_CONFIG_PATH} "${folder}")
    run(COMMAND "${pkg_config}" --modversion polhode-c OUTPUT output)
    if(NOT output STREQUAL VERSION)
      message(FATAL_ERROR "pkg-config reports '${output}' for polhode-c, expected '${VERSION}'")
    endif()
    run(COMMAND "${pkg_config}" --cflags --libs polhode-c OUTPUT flags)
    separate_arguments(flags)
    run(COMMAND "${pkg_config}" --variable=libdir polhode-c OUTPUT libdir)
    foreach(name IN ITEMS tumbling frb driven)
      run(COMMAND "${c_compiler}" -std=c99 -Wall -Wextra -pedantic -Werror "${c_examples}/${name}.c" ${flags}
        "-Wl,-rpath,${libdir}" -o "${WORK}/${name}_pkg_config")
      expect_example("${WORK}/${name}_pkg_config" ${name})
    endforeach()
    # What of Fortran is installed as source: a program of the paper, compiled as the documentation says.
    find_program(fortran_compiler gfortran)
    if(fortran_compiler)
      run(COMMAND "${fortran_compiler}" "-J${WORK}" "${prefix}/share/polhode/polhode.f90" "${prefix}/share/polhode/frb.f90"
        "${c_examples}/../frb/driver_example0.f90" ${flags} "-Wl,-rpath,${libdir}" -o "${WORK}/driver_pkg_config")
    endif()
  endif()
else()
  message(STATUS "pkg-config is not there: its half of the test is left out")
endif()
