# The tests of one folder, built and run once more for every compiler, level of optimisation and use of fused
# multiply-add: what is promised bit for bit has to hold in all of them. Entries of ctest: <folder>@<variant>.
# The compilers are called directly, because one build tree of CMake knows a single C++ compiler.
find_program(POLHODE_CLANGXX NAMES clang++ clang++-14)

set(variant_compilers "${CMAKE_CXX_COMPILER}")
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  set(variant_compiler_names gcc)
  set(variant_compiler_ids GNU)
  if(POLHODE_CLANGXX)
    list(APPEND variant_compilers "${POLHODE_CLANGXX}")
    list(APPEND variant_compiler_names clang)
    list(APPEND variant_compiler_ids Clang)
  endif()
else()
  string(TOLOWER "${CMAKE_CXX_COMPILER_ID}" variant_compiler_names)
  set(variant_compiler_ids "${CMAKE_CXX_COMPILER_ID}")
endif()

set(variant_targets base)
set(variant_flags_base "")
if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64|amd64)$")
  set(variant_targets nofma)
  set(variant_flags_nofma -mno-fma)
  if(POLHODE_MACHINE_RUNS_V3)
    list(APPEND variant_targets fma)
    set(variant_flags_fma -mavx2 -mfma)
  endif()
endif()

# The sources of a folder are one translation unit: parsing GoogleTest and Boost for each would take most of the time.
# Their headers are taken from the compilers' standard path.
function(polhode_add_variant folder sources variant compiler flags)
  set(dir "${CMAKE_CURRENT_BINARY_DIR}/variants/${variant}/${folder}")
  file(MAKE_DIRECTORY "${dir}")
  list(TRANSFORM test_definitions PREPEND -D OUTPUT_VARIABLE definitions)
  list(TRANSFORM POLHODE_QUADMATH_DEFINITIONS PREPEND -D OUTPUT_VARIABLE quadmath_definitions)
  set(includes "")
  foreach(source IN LISTS sources)
    string(APPEND includes "#include \"${source}\"\n")
  endforeach()
  set(whole "${CMAKE_CURRENT_BINARY_DIR}/variants/${folder}.cpp")
  file(CONFIGURE OUTPUT "${whole}" CONTENT "${includes}" @ONLY)
  set(object "${dir}/${folder}.o")
  add_custom_command(OUTPUT "${object}"
    COMMAND "${compiler}" -std=c++20 -ffp-contract=off ${flags} ${definitions} ${quadmath_definitions}
      "-I${PROJECT_SOURCE_DIR}/include" "-I${CMAKE_CURRENT_SOURCE_DIR}" "-I${PROJECT_SOURCE_DIR}"
      -MD -MF "${object}.d" -c "${whole}" -o "${object}"
    DEPENDS "${whole}" ${sources} DEPFILE "${object}.d" VERBATIM
    COMMENT "Building ${folder}@${variant}")
  set(program "${dir}/${folder}_test")
  list(TRANSFORM POLHODE_QUADMATH_LIBRARIES PREPEND -l OUTPUT_VARIABLE libraries)
  add_custom_command(OUTPUT "${program}"
    COMMAND "${compiler}" "${object}" -o "${program}"
      "$<TARGET_FILE:GTest::gtest_main>" "$<TARGET_FILE:GTest::gtest>" ${libraries} -lpthread
    DEPENDS "${object}" VERBATIM
    COMMENT "Linking ${folder}@${variant}")
  add_custom_target(variant_${folder}_${variant} ALL DEPENDS "${program}")
  add_test(NAME ${folder}@${variant} COMMAND "${program}" --gtest_brief=1)
endfunction()

function(polhode_add_variants folder sources)
  foreach(compiler name id IN ZIP_LISTS variant_compilers variant_compiler_names variant_compiler_ids)
    polhode_quadmath_flags(${id} quadmath_flags)
    foreach(level IN ITEMS O0 O3)
      foreach(target IN LISTS variant_targets)
        polhode_add_variant(${folder} "${sources}" ${name}-${level}-${target} "${compiler}"
          "-${level};${variant_flags_${target}};${quadmath_flags}")
      endforeach()
    endforeach()
  endforeach()
endfunction()
