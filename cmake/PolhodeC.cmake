# polhode::c, the library of the C interface (libpolhode), with its examples and tests. Included after the tests' own
# folder: their target for tests/c is there. That target needs the library, so with it the library is built; it is
# installed with POLHODE_BUILD_C only.
include(CheckLanguage)
include(CheckLinkerFlag)
find_package(Threads REQUIRED)

file(GLOB c_sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/src/c/*.cpp")
add_library(polhode_c SHARED ${c_sources})
add_library(polhode::c ALIAS polhode_c)
# While the first number is zero, the second one says what is compatible.
set_target_properties(polhode_c PROPERTIES
  OUTPUT_NAME polhode
  EXPORT_NAME c
  VERSION "${PROJECT_VERSION}"
  SOVERSION "${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR}"
  CXX_VISIBILITY_PRESET hidden
  VISIBILITY_INLINES_HIDDEN ON
  LIBRARY_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/lib")
target_compile_definitions(polhode_c PRIVATE POLHODE_C_BUILD)
target_include_directories(polhode_c PUBLIC
  "$<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>" "$<INSTALL_INTERFACE:include>")
target_link_libraries(polhode_c PRIVATE polhode_core polhode_batch polhode_options Threads::Threads)

# The templates of the standard library are visible whatever the compiler is told; the linker hides them.
set(c_symbols "${PROJECT_SOURCE_DIR}/src/c/polhode.map")
check_linker_flag(CXX "-Wl,--version-script=${c_symbols}" POLHODE_LINKER_HAS_VERSION_SCRIPT)
if(POLHODE_LINKER_HAS_VERSION_SCRIPT)
  target_link_options(polhode_c PRIVATE "-Wl,--version-script=${c_symbols}")
  set_target_properties(polhode_c PROPERTIES LINK_DEPENDS "${c_symbols}")
endif()

if(TARGET test_c)
  target_link_libraries(test_c PRIVATE polhode_c)
  if(POLHODE_LINKER_HAS_VERSION_SCRIPT AND CMAKE_NM)
    add_test(NAME c.symbols COMMAND sh -c "! \"$1\" -D --defined-only \"$2\" | grep -v ' polhode_'" sh
      "${CMAKE_NM}" "$<TARGET_FILE:polhode_c>")
  endif()
endif()

# examples/c: the language of each is enabled if there is a compiler for it.
function(polhode_add_c_example target name language expected)
  set_target_properties(${target} PROPERTIES
    OUTPUT_NAME ${name} RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/examples/c/${language}"
    LINKER_LANGUAGE ${language})
  target_link_libraries(${target} PRIVATE polhode_c)
  if(POLHODE_SANITIZE)
    target_link_options(${target} PRIVATE -fsanitize=${POLHODE_SANITIZE})
  endif()
  if(POLHODE_WERROR)
    target_compile_options(${target} PRIVATE -Werror)
  endif()
  if(POLHODE_BUILD_TESTS)
    add_test(NAME example.${language}.${name} COMMAND "${CMAKE_COMMAND}"
      "-DPROGRAM=$<TARGET_FILE:${target}>" "-DOUTPUT=${PROJECT_BINARY_DIR}/examples/c/${language}/${name}.output"
      "-DEXPECTED=${expected}" -P "${PROJECT_SOURCE_DIR}/cmake/RunExample.cmake")
  endif()
endfunction()

if(POLHODE_BUILD_EXAMPLES)
  set(c_examples "${PROJECT_SOURCE_DIR}/examples/c")
  check_language(C)
  if(CMAKE_C_COMPILER)
    enable_language(C)
    foreach(name IN ITEMS tumbling frb driven engine)
      add_executable(example_c_${name} "${c_examples}/${name}.c")
      target_link_libraries(example_c_${name} PRIVATE m)  # polhode_step.h
      set_target_properties(example_c_${name} PROPERTIES C_STANDARD 99 C_STANDARD_REQUIRED ON C_EXTENSIONS OFF)
      if(CMAKE_C_COMPILER_ID MATCHES "^(GNU|Clang|AppleClang)$")
        target_compile_options(example_c_${name} PRIVATE
          -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wdouble-promotion -Wstrict-prototypes)
      endif()
      polhode_add_c_example(example_c_${name} ${name} C "${c_examples}/${name}.expected")
    endforeach()
  endif()

  # The sanitizers' libraries have to be those of the C++ compiler, which a Fortran compiler need not know.
  if(POLHODE_SANITIZE)
    message(STATUS "examples/c: no Fortran with sanitizers")
  else()
    check_language(Fortran)
  endif()
  if(CMAKE_Fortran_COMPILER AND NOT POLHODE_SANITIZE)
    enable_language(Fortran)
    foreach(name IN ITEMS tumbling driven)
      add_executable(example_fortran_${name} "${c_examples}/polhode.f90" "${c_examples}/${name}.f90")
      set_target_properties(example_fortran_${name} PROPERTIES
        Fortran_MODULE_DIRECTORY "${PROJECT_BINARY_DIR}/examples/c/Fortran/modules-${name}")
      if(CMAKE_Fortran_COMPILER_ID STREQUAL "GNU")
        target_compile_options(example_fortran_${name} PRIVATE -std=f2008 -Wall -Wextra -Wpedantic)
      endif()
      polhode_add_c_example(example_fortran_${name} ${name} Fortran "${c_examples}/${name}.expected")
    endforeach()

    # examples/frb: the drivers of a paper, which read their input from the folder that they are run in. Those inputs that were
    # published are with the tests.
    set(drivers_source "${PROJECT_SOURCE_DIR}/examples/frb")
    set(drivers "${PROJECT_BINARY_DIR}/examples/frb")
    foreach(number RANGE 4)
      set(target example_frb_${number})
      add_executable(${target} "${c_examples}/frb.f90" "${drivers_source}/driver_example${number}.f90")
      set_target_properties(${target} PROPERTIES
        OUTPUT_NAME driver_example${number} RUNTIME_OUTPUT_DIRECTORY "${drivers}" LINKER_LANGUAGE Fortran)
      target_link_libraries(${target} PRIVATE polhode_c)
      if(CMAKE_Fortran_COMPILER_ID STREQUAL "GNU")
        target_compile_options(${target} PRIVATE -std=f2008 -Wall -Wextra -Wpedantic)
      endif()
      if(POLHODE_WERROR)
        target_compile_options(${target} PRIVATE -Werror)
      endif()
      if(number EQUAL 1)
        configure_file("${drivers_source}/init_example1.dat" "${drivers}/init_example1.dat" COPYONLY)
      else()
        configure_file("${PROJECT_SOURCE_DIR}/tests/data/toms903/init_example${number}.dat"
          "${drivers}/init_example${number}.dat" COPYONLY)
      endif()
      if(TARGET test_c)
        add_dependencies(test_c ${target})
      endif()
    endforeach()
    if(TARGET test_c)
      add_executable(test_c_fortran "${c_examples}/polhode.f90" "${c_examples}/frb.f90"
        "${PROJECT_SOURCE_DIR}/tests/c/frb_calls.f90")
      set_target_properties(test_c_fortran PROPERTIES LINKER_LANGUAGE Fortran
        RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/tests"
        Fortran_MODULE_DIRECTORY "${PROJECT_BINARY_DIR}/tests/fortran")
      target_link_libraries(test_c_fortran PRIVATE polhode_c)
      add_test(NAME c.fortran COMMAND test_c_fortran)
      target_compile_definitions(test_c PRIVATE "POLHODE_FRB_DRIVERS=\"${drivers}\"")
      if(TARGET polhode)
        add_dependencies(test_c polhode)
        target_compile_definitions(test_c PRIVATE "POLHODE_COMMAND=\"$<TARGET_FILE:polhode>\"")
      endif()
    endif()
  endif()
endif()
