# What the compiler says of a torque of the wrong shape: -DCOMPILER=... -DINCLUDE=... -DSOURCE=...
execute_process(COMMAND "${COMPILER}" -std=c++20 -fsyntax-only -ffp-contract=off "-I${INCLUDE}" "${SOURCE}"
  RESULT_VARIABLE status ERROR_VARIABLE message OUTPUT_QUIET)
if(status EQUAL 0)
  message(FATAL_ERROR "a torque of the wrong shape was compiled")
endif()
if(NOT message MATCHES "polhode: this is not a torque: write")
  message(FATAL_ERROR "the message does not say what a torque is:\n${message}")
endif()
