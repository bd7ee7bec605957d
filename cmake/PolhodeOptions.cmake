# polhode_options: what our own targets are compiled with, linked PRIVATE; never exported. polhode_diagnostics is the part of it
# that does not choose the instructions.
include(PolhodeMachine)

add_library(polhode_diagnostics INTERFACE)
add_library(polhode_options INTERFACE)
target_link_libraries(polhode_options INTERFACE polhode_diagnostics)

if(PROJECT_IS_TOP_LEVEL AND CMAKE_CXX_COMPILER_ID MATCHES "^(GNU|Clang|AppleClang)$")
  target_compile_options(polhode_diagnostics INTERFACE
    -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wdouble-promotion
    -Wno-sign-conversion  # a part of -Wconversion in Clang only
    # GCC 12 reports copies inside std::string that overlap or have no end, at -O2 and above (its bug 105651).
    "$<$<CXX_COMPILER_ID:GNU>:-Wno-restrict;-Wno-stringop-overflow>")
  if(POLHODE_WERROR)
    # Those that depend on the optimiser's view of the code warn, but do not stop the build.
    target_compile_options(polhode_diagnostics INTERFACE -Werror
      "$<$<CXX_COMPILER_ID:GNU>:-Wno-error=maybe-uninitialized;-Wno-error=array-bounds>")
  endif()
endif()

set(POLHODE_MARCH_FLAG "")
if(POLHODE_MARCH STREQUAL "auto")
  if(POLHODE_MACHINE_RUNS_V3)
    set(POLHODE_MARCH_FLAG "-march=x86-64-v3")
  endif()
elseif(POLHODE_MARCH AND NOT POLHODE_MARCH STREQUAL "none")
  set(POLHODE_MARCH_FLAG "-march=${POLHODE_MARCH}")
endif()
# errno costs a look at the sign of what goes into each square root, 5 % of a long step. All sources have the flag: of a function that
# several have, the linker takes any copy.
target_compile_options(polhode_options INTERFACE ${POLHODE_MARCH_FLAG}
  "$<$<COMPILE_LANG_AND_ID:CXX,GNU,Clang,AppleClang>:-fno-math-errno>")

if(POLHODE_SANITIZE)
  target_compile_options(polhode_diagnostics INTERFACE
    -fsanitize=${POLHODE_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(polhode_diagnostics INTERFACE -fsanitize=${POLHODE_SANITIZE})
endif()

# The flags in words, for the benchmark's report.
string(TOUPPER "${CMAKE_BUILD_TYPE}" build_type)
set(flags ${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION} ${CMAKE_CXX_FLAGS} ${CMAKE_CXX_FLAGS_${build_type}}
  ${POLHODE_MARCH_FLAG} -ffp-contract=off)
list(JOIN flags " " POLHODE_BUILD_FLAGS)
message(STATUS "polhode ${PROJECT_VERSION}: ${POLHODE_BUILD_FLAGS}")
