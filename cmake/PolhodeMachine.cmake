# POLHODE_MACHINE_RUNS_V3: the compiler knows x86-64-v3 (AVX2 and FMA) and this machine runs it.
include(CheckCXXSourceRuns)
include(CMakePushCheckState)

if(NOT CMAKE_CROSSCOMPILING AND CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64|amd64)$"
   AND CMAKE_CXX_COMPILER_ID MATCHES "^(GNU|Clang|AppleClang)$")
  cmake_push_check_state(RESET)
  set(CMAKE_REQUIRED_FLAGS "-march=x86-64-v3")
  check_cxx_source_runs("
    int main() {
      __builtin_cpu_init();
      return __builtin_cpu_supports(\"avx2\") && __builtin_cpu_supports(\"fma\") && __builtin_cpu_supports(\"bmi\")
          && __builtin_cpu_supports(\"bmi2\") ? 0 : 1;
    }" POLHODE_MACHINE_RUNS_V3)
  cmake_pop_check_state()
else()
  set(POLHODE_MACHINE_RUNS_V3 FALSE)
endif()
