# Every public header compiles by itself, and twice in a row: one generated source for each.
file(GLOB_RECURSE public_headers RELATIVE "${PROJECT_SOURCE_DIR}/include" CONFIGURE_DEPENDS
  "${PROJECT_SOURCE_DIR}/include/polhode/*.hpp")
list(REMOVE_ITEM public_headers polhode/eigen.hpp)  # which needs Eigen; a test compiles it where that is
set(header_check_sources "")
foreach(header IN LISTS public_headers)
  string(MAKE_C_IDENTIFIER "${header}" name)
  set(source "${PROJECT_BINARY_DIR}/header_check/${name}.cpp")
  file(CONFIGURE OUTPUT "${source}" CONTENT "#include <${header}>\n#include <${header}>\n" @ONLY)
  list(APPEND header_check_sources "${source}")
endforeach()
if(header_check_sources)
  add_library(polhode_header_check OBJECT ${header_check_sources})
  target_compile_options(polhode_header_check PRIVATE -O0)
  target_link_libraries(polhode_header_check PRIVATE polhode::polhode polhode_options)
endif()
