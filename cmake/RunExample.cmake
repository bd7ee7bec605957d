# cmake -DPROGRAM=... -DOUTPUT=... [-DEXPECTED=...] -P RunExample.cmake
# Runs the program; its standard output must equal the expected file byte for byte.
execute_process(COMMAND "${PROGRAM}" OUTPUT_FILE "${OUTPUT}" RESULT_VARIABLE status)
if(NOT status EQUAL 0)
  message(FATAL_ERROR "${PROGRAM}: exit status ${status}")
endif()
if(EXPECTED)
  execute_process(COMMAND "${CMAKE_COMMAND}" -E compare_files "${EXPECTED}" "${OUTPUT}" RESULT_VARIABLE differs)
  if(differs)
    execute_process(COMMAND diff -u "${EXPECTED}" "${OUTPUT}")
    message(FATAL_ERROR "the output differs from ${EXPECTED}")
  endif()
endif()
