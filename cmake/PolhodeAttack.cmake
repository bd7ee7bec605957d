# The attack on what is built: the command by Clang under the sanitizers of addresses and undefined behaviour, with its tests and fuzzers;
# threads, of Python too, under that of threads; faults injected into the command; one hash of all bits over compilers and flags. The
# compilers are called directly, because one build tree of CMake knows a single C++ compiler.
find_program(POLHODE_CLANGXX NAMES clang++ clang++-14)
find_program(POLHODE_CLANGXX_NEW NAMES clang++-19 clang++-18 clang++-17 clang++-16)
set(attack "${PROJECT_BINARY_DIR}/attack")
# What the program includes and links, as plain flags.
set(program_flags -DTOML_HEADER_ONLY=0 "-DPOLHODE_BUILD_FLAGS=\"\"")
if(TARGET polhode_program)
  find_package(PkgConfig REQUIRED)
  pkg_search_module(attack_hdf5 REQUIRED hdf5-serial hdf5)
  pkg_check_modules(attack_toml REQUIRED tomlplusplus)
  find_package(MPI COMPONENTS CXX QUIET)
  foreach(folder IN LISTS attack_hdf5_INCLUDE_DIRS MPI_CXX_INCLUDE_DIRS)
    list(APPEND program_flags -isystem "${folder}")
  endforeach()
endif()
set(attack_includes "-I${PROJECT_SOURCE_DIR}/include" "-I${PROJECT_SOURCE_DIR}/src" "-I${PROJECT_SOURCE_DIR}")

# Sources in joined files of so many, as with POLHODE_JOIN_SOURCES; named_method.cpp stays by itself.
function(polhode_joined result name size)
  set(files "")
  set(includes "")
  set(count 0)
  foreach(source IN LISTS ARGN)
    string(APPEND includes "#include \"${source}\"\n")
    math(EXPR count "${count} + 1")
    list(LENGTH files number)
    if(count EQUAL size)
      file(CONFIGURE OUTPUT "${attack}/sources/${name}_${number}.cpp" CONTENT "${includes}" @ONLY)
      list(APPEND files "${attack}/sources/${name}_${number}.cpp")
      set(includes "")
      set(count 0)
    endif()
  endforeach()
  if(count GREATER 0)
    list(LENGTH files number)
    file(CONFIGURE OUTPUT "${attack}/sources/${name}_${number}.cpp" CONTENT "${includes}" @ONLY)
    list(APPEND files "${attack}/sources/${name}_${number}.cpp")
  endif()
  set(${result} ${files} PARENT_SCOPE)
endfunction()

function(polhode_attack_object object compiler source flags)
  get_filename_component(folder "${object}" DIRECTORY)
  file(MAKE_DIRECTORY "${folder}")
  add_custom_command(OUTPUT "${object}"
    COMMAND "${compiler}" -std=c++20 -ffp-contract=off ${flags} ${attack_includes} -MD -MT "${object}" -MF "${object}.d" -c "${source}"
      -o "${object}"
    DEPENDS "${source}" DEPFILE "${object}.d" COMMAND_EXPAND_LISTS VERBATIM COMMENT "Attack: ${object}")
endfunction()

# ---- One hash of the bits ----------------------------------------------------------------------------------------------------
set(bits_programs "")
function(polhode_add_bits name compiler)
  set(program "${attack}/bits/${name}")
  polhode_attack_object("${program}.o" "${compiler}" "${CMAKE_CURRENT_SOURCE_DIR}/same_bits/bits.cpp" "${ARGN}")
  add_custom_command(OUTPUT "${program}" COMMAND "${compiler}" "${program}.o" -o "${program}" -lpthread
    DEPENDS "${program}.o" VERBATIM)
  set(bits_programs ${bits_programs} "${program}" PARENT_SCOPE)
endfunction()
set(bits_fma "")
set(bits_nofma "")
if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64|amd64)$")
  set(bits_nofma -march=x86-64)
  if(POLHODE_MACHINE_RUNS_V3)
    set(bits_fma -march=x86-64-v3)
  endif()
endif()
polhode_add_bits(this-O3-fma "${CMAKE_CXX_COMPILER}" -O3 ${bits_fma})
polhode_add_bits(this-O1-nofma "${CMAKE_CXX_COMPILER}" -O1 ${bits_nofma})
if(POLHODE_CLANGXX)
  polhode_add_bits(clang-O2-fma "${POLHODE_CLANGXX}" -O2 ${bits_fma})
endif()
if(POLHODE_CLANGXX_NEW)
  polhode_add_bits(new-clang-O2-fma "${POLHODE_CLANGXX_NEW}" -O2 ${bits_fma})
endif()
add_custom_target(attack_bits ALL DEPENDS ${bits_programs})
add_test(NAME attack.bits COMMAND "${PROJECT_SOURCE_DIR}/scripts/compare-bits" --cases 10000 ${bits_programs})
if(CMAKE_OBJDUMP AND POLHODE_MACHINE_RUNS_V3)
  add_test(NAME attack.no-fused-instruction COMMAND "${CMAKE_CURRENT_SOURCE_DIR}/same_bits/check-fused" "${CMAKE_OBJDUMP}"
    "${attack}/bits/this-O3-fma.o" "$<TARGET_FILE:polhode>")
endif()

find_program(POLHODE_PYTHON python3 PATHS /usr/bin NO_DEFAULT_PATH)
if(POLHODE_PYTHON)
  add_test(NAME attack.defects COMMAND "${POLHODE_PYTHON}" "${PROJECT_SOURCE_DIR}/scripts/put-back-defects" --check)
endif()

# ---- Faults ------------------------------------------------------------------------------------------------------------------
include(CheckLanguage)
check_language(C)
if(CMAKE_C_COMPILER AND POLHODE_PYTHON AND TARGET polhode AND CMAKE_SYSTEM_NAME STREQUAL "Linux" AND NOT POLHODE_SANITIZE)
  enable_language(C)
  add_library(polhode_faults SHARED "${CMAKE_CURRENT_SOURCE_DIR}/faults/faults.c")
  target_link_libraries(polhode_faults PRIVATE ${CMAKE_DL_LIBS})
  add_test(NAME attack.faults COMMAND "${POLHODE_PYTHON}" "${CMAKE_CURRENT_SOURCE_DIR}/faults/run.py"
    "$<TARGET_FILE:polhode>" "$<TARGET_FILE:polhode_faults>" "${PROJECT_SOURCE_DIR}")
endif()

# ---- Kills at random moments: a few here, a hundred of each by hand ------------------------------------------------------------
if(POLHODE_PYTHON AND TARGET polhode AND CMAKE_SYSTEM_NAME STREQUAL "Linux" AND NOT POLHODE_SANITIZE)
  add_test(NAME attack.kills COMMAND "${POLHODE_PYTHON}" "${CMAKE_CURRENT_SOURCE_DIR}/faults/kills.py" "$<TARGET_FILE:polhode>" 3)
endif()

# ---- The command by Clang, under the sanitizers of addresses and undefined behaviour: its tests, and fuzzers ----------------------
set(POLHODE_FUZZ_SECONDS 4 CACHE STRING "How long each fuzzer runs among the tests")
if(POLHODE_CLANGXX AND TARGET polhode_program)
  set(sanitized_flags -O1 -g1 -fsanitize=address,undefined,fuzzer-no-link -fno-sanitize-recover=all -Wno-unused-function
    ${program_flags})
  function(polhode_sanitized_objects result name size)
    polhode_joined(sources ${name} ${size} ${ARGN})
    set(objects "")
    foreach(source IN LISTS sources)
      get_filename_component(stem "${source}" NAME_WE)
      polhode_attack_object("${attack}/sanitized/${stem}.o" "${POLHODE_CLANGXX}" "${source}" "${sanitized_flags}")
      list(APPEND objects "${attack}/sanitized/${stem}.o")
    endforeach()
    set(${result} ${objects} PARENT_SCOPE)
  endfunction()
  set(src "${PROJECT_SOURCE_DIR}/src")

  # All sources of the command but the rivals of its benchmarks; ranks are those of one process.
  set(objects_program "")
  foreach(library IN ITEMS polhode_motion polhode_program)
    get_target_property(sources ${library} SOURCES)
    list(FILTER sources INCLUDE REGEX "\\.cpp$")
    list(FILTER sources EXCLUDE REGEX "/(gsl|odeint|sundials)\\.cpp$")
    list(TRANSFORM sources REPLACE "/ranks_mpi\\.cpp$" "/ranks_single.cpp")
    # By themselves what takes long to compile, and experiments, in which the same names stand; systems a few at a time.
    set(alone ${sources})
    list(FILTER alone INCLUDE REGEX "/named_method\\.cpp$|/experiments/")
    set(systems ${sources})
    list(FILTER systems INCLUDE REGEX "/systems/")
    list(REMOVE_ITEM systems ${alone})
    list(REMOVE_ITEM sources ${alone} ${systems})
    polhode_sanitized_objects(objects_alone ${library}_alone 1 ${alone})
    polhode_sanitized_objects(objects_systems ${library}_systems 5 ${systems})
    polhode_sanitized_objects(objects_rooms ${library}_rooms 12 ${sources})
    list(APPEND objects_program ${objects_alone} ${objects_systems} ${objects_rooms})
  endforeach()
  polhode_sanitized_objects(objects_batch batch 1 ${src}/batch/instruction_set.cpp)
  list(APPEND objects_program ${objects_batch})
  get_target_property(command_sources polhode SOURCES)
  polhode_sanitized_objects(objects_command command 20 ${command_sources})
  # What users call and what parsers are, without the rest: a small fuzzer is a fast one.
  file(GLOB c_sources CONFIGURE_DEPENDS ${src}/c/*.cpp)
  file(GLOB parser_sources CONFIGURE_DEPENDS ${src}/text/*.cpp ${src}/tables/*.cpp ${src}/input/*.cpp ${src}/conformance/*.cpp)
  polhode_sanitized_objects(objects_c c 20 ${c_sources})
  polhode_sanitized_objects(objects_parsers parsers 20 ${parser_sources} ${src}/scenario/value.cpp ${src}/scenario/document.cpp
    ${src}/scenario/key_path.cpp)

  set(sanitized_libraries -lfmt -lpthread ${attack_toml_LDFLAGS} ${attack_hdf5_LDFLAGS})
  set(fuzz_step "")
  set(fuzz_parsers ${objects_parsers})
  set(fuzz_c_interface ${objects_c} ${objects_batch})
  set(fuzz_files ${objects_program})
  set(fuzz_scenario ${objects_program})
  set(fuzz_programs "")
  foreach(name IN ITEMS step parsers files c_interface scenario)
    polhode_attack_object("${attack}/sanitized/fuzz_${name}.o" "${POLHODE_CLANGXX}" "${CMAKE_CURRENT_SOURCE_DIR}/fuzz/${name}.cpp"
      "${sanitized_flags}")
    set(program "${attack}/fuzz/${name}")
    add_custom_command(OUTPUT "${program}"
      COMMAND "${CMAKE_COMMAND}" -E make_directory "${attack}/fuzz"
      COMMAND "${POLHODE_CLANGXX}" -fsanitize=address,undefined,fuzzer "${attack}/sanitized/fuzz_${name}.o" ${fuzz_${name}}
        -o "${program}" ${sanitized_libraries}
      DEPENDS "${attack}/sanitized/fuzz_${name}.o" ${fuzz_${name}} COMMAND_EXPAND_LISTS VERBATIM)
    list(APPEND fuzz_programs "${program}")
    add_test(NAME attack.fuzz.${name} COMMAND "${CMAKE_CURRENT_SOURCE_DIR}/fuzz/run" "${program}" ${name}
      ${POLHODE_FUZZ_SECONDS} "${attack}/fuzz/found")
  endforeach()
  add_custom_target(attack_fuzzers ALL DEPENDS ${fuzz_programs})

  # The command, and its tests, which call it as a process of its own. Lines of the sources would make it large, and a checkpoint
  # knows the program by all of its bytes.
  set(sanitized_command "${attack}/sanitized/polhode")
  add_custom_command(OUTPUT "${sanitized_command}"
    COMMAND "${POLHODE_CLANGXX}" -fsanitize=address,undefined -Wl,--strip-debug ${objects_command} ${objects_program} -o "${sanitized_command}"
      ${sanitized_libraries}
    DEPENDS ${objects_command} ${objects_program} COMMAND_EXPAND_LISTS VERBATIM)
  file(GLOB test_sources CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/command/*.cpp")
  list(FILTER test_sources EXCLUDE REGEX "/ranks_test\\.cpp$")
  set(test_objects "")
  foreach(source IN LISTS test_sources)
    get_filename_component(stem "${source}" NAME_WE)
    polhode_attack_object("${attack}/sanitized/${stem}.o" "${POLHODE_CLANGXX}" "${source}"
      "-DPOLHODE_SANITIZED;-DPOLHODE_COMMAND=\"${sanitized_command}\";-DPOLHODE_PYTHON=\"${POLHODE_PYTHON}\";-DPOLHODE_SOURCE_DIR=\"${PROJECT_SOURCE_DIR}\";${program_flags}")
    list(APPEND test_objects "${attack}/sanitized/${stem}.o")
  endforeach()
  set(program "${attack}/sanitized/command_test")
  add_custom_command(OUTPUT "${program}"
    COMMAND "${POLHODE_CLANGXX}" ${test_objects} -o "${program}" -lgtest_main -lgtest -lpthread ${attack_hdf5_LDFLAGS}
    DEPENDS ${test_objects} "${sanitized_command}" COMMAND_EXPAND_LISTS VERBATIM)
  add_custom_target(attack_sanitized ALL DEPENDS "${program}")
  # Left out: what gives the command too little memory for the sanitizers, and what kills or interrupts work that is made to take long.
  foreach(shard RANGE 3)
    add_test(NAME attack.sanitized.${shard} COMMAND "${program}" --gtest_brief=1
      "--gtest_filter=-Failure.NoMemory*:*HoweverOftenItIsKilled:EnsembleCommand.AnInterrupt*")
    set_tests_properties(attack.sanitized.${shard} PROPERTIES ENVIRONMENT
      "GTEST_TOTAL_SHARDS=4;GTEST_SHARD_INDEX=${shard};UBSAN_OPTIONS=print_stacktrace=1")
  endforeach()
endif()

# ---- Threads ------------------------------------------------------------------------------------------------------------------
if(TARGET polhode_program)
  set(threads_flags -O1 -g1 -fsanitize=thread -Wno-tsan ${program_flags})
  polhode_joined(threads_sources threads 30 ${PROJECT_SOURCE_DIR}/src/text/text.cpp ${PROJECT_SOURCE_DIR}/src/run/interrupt.cpp
    ${PROJECT_SOURCE_DIR}/src/run/progress.cpp ${PROJECT_SOURCE_DIR}/src/output/partial_file.cpp
    ${PROJECT_SOURCE_DIR}/src/work/record_file.cpp ${PROJECT_SOURCE_DIR}/src/work/work.cpp
    ${PROJECT_SOURCE_DIR}/src/work/executor.cpp ${PROJECT_SOURCE_DIR}/src/work/ranks_single.cpp
    ${CMAKE_CURRENT_SOURCE_DIR}/threads/threads.cpp)
  polhode_attack_object("${attack}/threads.o" "${CMAKE_CXX_COMPILER}" "${threads_sources}" "${threads_flags}")
  add_custom_command(OUTPUT "${attack}/threads"
    COMMAND "${CMAKE_CXX_COMPILER}" -fsanitize=thread "${attack}/threads.o" -o "${attack}/threads" -lfmt -lpthread
    DEPENDS "${attack}/threads.o" VERBATIM)
  add_custom_target(attack_threads ALL DEPENDS "${attack}/threads")
  add_test(NAME attack.threads COMMAND "${attack}/threads")
  set_tests_properties(attack.threads PROPERTIES ENVIRONMENT "TSAN_OPTIONS=halt_on_error=1")
endif()

# ---- Threads of Python: the module with the systems of bodies, under the sanitizer of threads -------------------------------------
if(TARGET polhode_program AND POLHODE_BUILD_PYTHON AND POLHODE_PYTHON AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  if(NOT Python_EXECUTABLE)
    set(Python_EXECUTABLE "${POLHODE_PYTHON}")
  endif()
  find_package(Python 3.9 REQUIRED COMPONENTS Interpreter Development.Module NumPy)
  find_package(pybind11 2.10 REQUIRED)
  set(python "${PROJECT_SOURCE_DIR}/python")
  set(package "${attack}/python/polhode")
  file(GLOB module_sources CONFIGURE_DEPENDS ${python}/src/*.cpp ${python}/src/*/*.cpp)
  get_target_property(module_motion polhode_motion SOURCES)
  list(FILTER module_motion INCLUDE REGEX "\\.cpp$")
  list(FILTER module_motion EXCLUDE REGEX "/systems/(coordinates|molecules|gravity)/")
  list(APPEND module_motion ${PROJECT_SOURCE_DIR}/src/systems/coordinates/coordinates.cpp
    ${PROJECT_SOURCE_DIR}/src/systems/coordinates/methods.cpp ${PROJECT_SOURCE_DIR}/src/batch/instruction_set.cpp)
  # By themselves as in the module itself (PolhodePython.cmake), and the registry for its systems.
  set(module_alone ${module_sources} ${module_motion})
  list(FILTER module_alone INCLUDE REGEX "/(position_function|system_functions|registry|named_method)\\.cpp$")
  list(REMOVE_ITEM module_sources ${module_alone})
  list(REMOVE_ITEM module_motion ${module_alone})
  set(module_coordinates ${module_sources})
  list(FILTER module_coordinates INCLUDE REGEX "/coordinates/")
  list(REMOVE_ITEM module_sources ${module_coordinates})
  polhode_joined(module_joined module 30 ${module_sources})
  polhode_joined(module_joined_coordinates module_coordinates 30 ${module_coordinates})
  polhode_joined(module_joined_motion module_motion 20 ${module_motion})
  set(module_flags -O1 -g1 -fsanitize=thread -Wno-tsan -fPIC -fvisibility=hidden "-I${python}/src" ${program_flags})
  set(module_includes ${Python_INCLUDE_DIRS} ${Python_NumPy_INCLUDE_DIRS} ${pybind11_INCLUDE_DIRS})
  list(REMOVE_ITEM module_includes /usr/include)  # where the compiler looks anyway, but later
  list(REMOVE_DUPLICATES module_includes)
  foreach(folder IN LISTS module_includes)
    list(APPEND module_flags -isystem "${folder}")
  endforeach()
  set(module_objects "")
  foreach(source IN LISTS module_joined module_joined_coordinates module_joined_motion module_alone)
    get_filename_component(stem "${source}" NAME_WE)
    set(own "")
    if(stem STREQUAL "registry")
      set(own -include ${PROJECT_SOURCE_DIR}/src/systems/systems_of_bodies.hpp)
    endif()
    polhode_attack_object("${attack}/python/${stem}.o" "${CMAKE_CXX_COMPILER}" "${source}" "${module_flags};${own}")
    list(APPEND module_objects "${attack}/python/${stem}.o")
  endforeach()
  file(GLOB module_files CONFIGURE_DEPENDS ${python}/polhode/*.py ${python}/polhode/*.pyi)
  add_custom_command(OUTPUT "${package}/_core.so"
    COMMAND "${CMAKE_COMMAND}" -E make_directory "${package}"
    COMMAND "${CMAKE_COMMAND}" -E copy ${module_files} "${package}"
    COMMAND "${CMAKE_CXX_COMPILER}" -shared -fsanitize=thread ${module_objects} -o "${package}/_core.so" -lpthread
    DEPENDS ${module_objects} ${module_files} COMMAND_EXPAND_LISTS VERBATIM)
  add_custom_target(attack_python ALL DEPENDS "${package}/_core.so")
  add_test(NAME attack.python_threads COMMAND "${CMAKE_CURRENT_SOURCE_DIR}/threads/python" "${attack}/python")
endif()
