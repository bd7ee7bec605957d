# cmake -DCOMPILER=... [-DCLANG=...] -DINCLUDE=... -DWORK=... -P run.cmake
# The headers refuse every flag that lets the compiler change the arithmetic and that it gives away by a macro, and say
# which; Clang gives away two of them. Without such a flag, and with those that change no result, they compile.
file(MAKE_DIRECTORY "${WORK}")
set(source "${WORK}/one_line.cpp")
file(WRITE "${source}" "#include <polhode/arithmetic/scalar.hpp>\n")

function(compile compiler)
  execute_process(COMMAND "${compiler}" -std=c++20 -fsyntax-only "-I${INCLUDE}" ${ARGN} "${source}"
    RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)
  set(status "${status}" PARENT_SCOPE)
  set(output "${output}" PARENT_SCOPE)
endfunction()

function(expect_accepted compiler)
  compile("${compiler}" ${ARGN})
  if(NOT status EQUAL 0)
    message(SEND_ERROR "${compiler} ${ARGN}: refused\n${output}")
  endif()
endfunction()

function(expect_refused compiler named)
  compile("${compiler}" ${ARGN})
  if(status EQUAL 0)
    message(SEND_ERROR "${compiler} ${ARGN}: accepted")
  elseif(NOT output MATCHES "never compile it with ${named}[^a-z-]")
    message(SEND_ERROR "${compiler} ${ARGN}: the message does not name ${named}\n${output}")
  endif()
endfunction()

function(check compiler)
  expect_accepted("${compiler}")
  expect_accepted("${compiler}" -O3 -ffp-contract=off -fno-math-errno -fno-trapping-math)
  expect_refused("${compiler}" -ffast-math -ffast-math)
  expect_refused("${compiler}" -ffast-math -Ofast)
  expect_refused("${compiler}" -ffinite-math-only -ffinite-math-only)
  execute_process(COMMAND "${compiler}" --version OUTPUT_VARIABLE version)
  if(NOT version MATCHES "clang")
    expect_refused("${compiler}" -fassociative-math -funsafe-math-optimizations)
    expect_refused("${compiler}" -fassociative-math -fassociative-math -fno-signed-zeros -fno-trapping-math)
    expect_refused("${compiler}" -freciprocal-math -freciprocal-math)
    expect_refused("${compiler}" -fno-signed-zeros -fno-signed-zeros)
  endif()
endfunction()

check("${COMPILER}")
if(CLANG)
  check("${CLANG}")
endif()
