# Quadruple precision of the tests' references: libquadmath, which belongs to GCC. Clang can use it too, but does not
# find its header, which lies among GCC's own headers; a link to that one header is put on the path.
# Sets POLHODE_QUADMATH_{DEFINITIONS,OPTIONS,LIBRARIES} for this compiler and polhode_quadmath_flags() for another.
set(POLHODE_QUADMATH_DEFINITIONS "")
set(POLHODE_QUADMATH_OPTIONS "")
set(POLHODE_QUADMATH_LIBRARIES "")

find_program(POLHODE_GCC NAMES g++ g++-12 gcc)
set(quadmath_header "")
if(POLHODE_GCC)
  execute_process(COMMAND "${POLHODE_GCC}" -print-file-name=include/quadmath.h
    OUTPUT_VARIABLE quadmath_header OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
endif()
set(POLHODE_QUADMATH_INCLUDE "")
if(quadmath_header AND IS_ABSOLUTE "${quadmath_header}" AND EXISTS "${quadmath_header}")
  set(POLHODE_QUADMATH_INCLUDE "${PROJECT_BINARY_DIR}/quadmath")
  file(MAKE_DIRECTORY "${POLHODE_QUADMATH_INCLUDE}")
  file(CREATE_LINK "${quadmath_header}" "${POLHODE_QUADMATH_INCLUDE}/quadmath.h" SYMBOLIC COPY_ON_ERROR)
endif()

function(polhode_quadmath_flags compiler_id result)
  set(flags "")
  if(compiler_id STREQUAL "GNU")
    set(flags -fext-numeric-literals)
  elseif(POLHODE_QUADMATH_INCLUDE)
    set(flags -isystem "${POLHODE_QUADMATH_INCLUDE}")
  endif()
  set(${result} ${flags} PARENT_SCOPE)
endfunction()

if(POLHODE_QUADMATH_INCLUDE)
  set(POLHODE_QUADMATH_DEFINITIONS POLHODE_HAVE_QUADMATH=1)
  set(POLHODE_QUADMATH_LIBRARIES quadmath)
  polhode_quadmath_flags("${CMAKE_CXX_COMPILER_ID}" POLHODE_QUADMATH_OPTIONS)
endif()
