# polhode_batch: the batch and the methods for the free body of what we compile, with their instructions chosen at run time. The
# headers alone, for those who include them, use what their compiler is told.
include(CheckCXXSourceCompiles)
include(CMakePushCheckState)

# The sources of src/batch for the instructions of the given flags, in the namespace polhode_<name>.
function(polhode_add_batch_object name sources)
  list(TRANSFORM sources PREPEND "${PROJECT_SOURCE_DIR}/src/batch/")
  add_library(polhode_batch_${name} OBJECT EXCLUDE_FROM_ALL ${sources})
  set_target_properties(polhode_batch_${name} PROPERTIES
    POSITION_INDEPENDENT_CODE ON CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON)
  target_compile_definitions(polhode_batch_${name} PRIVATE polhode=polhode_${name})
  # Without optimisation, functions of the standard library would be left in the object, under their own names. With less than -O3
  # the batch takes twice as long: packages, whose rest has -O2, have it here.
  target_compile_options(polhode_batch_${name} PRIVATE ${ARGN} -fno-math-errno "$<$<CONFIG:Debug>:-O2>" "$<$<CONFIG:Release>:-O3>")
  target_link_libraries(polhode_batch_${name} PRIVATE polhode_core polhode_diagnostics)
endfunction()

set(POLHODE_BATCH_OBJECTS "")  # all of them; the library links some
set(POLHODE_BATCH_LINKED "")
set(batch_has_avx2 TRUE)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64|amd64)$" AND CMAKE_CXX_COMPILER_ID MATCHES "^(GNU|Clang|AppleClang)$")
  set(POLHODE_BATCH_OBJECTS plain avx2 avx512)
  polhode_add_batch_object(plain "functions.cpp;methods.cpp" -march=x86-64)  # for the tests
  polhode_add_batch_object(avx2 "functions.cpp;methods.cpp" -march=x86-64 -mavx2 -mfma)
  # A single body gains nothing from wider packs.
  polhode_add_batch_object(avx512 functions.cpp -march=x86-64 -mavx2 -mfma -mavx512f -mavx512dq -mavx512vl)
  target_compile_definitions(polhode_batch_avx512 PRIVATE POLHODE_PACKS_OF_AVX512)
  string(MAKE_C_IDENTIFIER "POLHODE${POLHODE_MARCH_FLAG}_HAS_AVX2" variable)
  cmake_push_check_state(RESET)
  set(CMAKE_REQUIRED_FLAGS "${POLHODE_MARCH_FLAG}")
  check_cxx_source_compiles("
    #if !defined(__AVX2__) || !defined(__FMA__)
    #error
    #endif
    int main() { return 0; }" ${variable})
  cmake_pop_check_state()
  set(batch_has_avx2 ${${variable}})
endif()

add_library(polhode_batch STATIC "${PROJECT_SOURCE_DIR}/src/batch/instruction_set.cpp")
set_target_properties(polhode_batch PROPERTIES
  POSITION_INDEPENDENT_CODE ON CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON)
target_include_directories(polhode_batch PUBLIC "${PROJECT_SOURCE_DIR}/src")
find_package(Threads REQUIRED)
target_link_libraries(polhode_batch PUBLIC polhode_core Threads::Threads PRIVATE polhode_options)
if(NOT batch_has_avx2)
  list(APPEND POLHODE_BATCH_LINKED avx2)
endif()
if(avx512 IN_LIST POLHODE_BATCH_OBJECTS)
  list(APPEND POLHODE_BATCH_LINKED avx512)
endif()
foreach(name IN LISTS POLHODE_BATCH_LINKED)
  target_sources(polhode_batch PRIVATE "$<TARGET_OBJECTS:polhode_batch_${name}>")
  string(TOUPPER "POLHODE_BATCH_${name}" definition)
  target_compile_definitions(polhode_batch PRIVATE ${definition})
endforeach()
