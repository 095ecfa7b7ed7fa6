# What this clue is built from, for `clue --version` and for whoever reports a fault: lua/clue/build.txt. And CLUE_ABI, by
# which the library's file is named, too: a program of another interface finds no library instead of a wrong one.
file(STRINGS host/include/clue.h abi REGEX "CLUE_ABI = ")
string(REGEX REPLACE "[^0-9]" "" CLUE_ABI "${abi}")
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS host/include/clue.h)
set(extras)
foreach(extra SANITIZE COVERAGE FUZZ)
  if(CLUE_${extra})
    string(TOLOWER ${extra} extra)
    list(APPEND extras ${extra})
  endif()
endforeach()
list(PREPEND extras ${CMAKE_BUILD_TYPE})
list(JOIN extras ", " extras)
set(facts ${CMAKE_CURRENT_BINARY_DIR}/facts.txt)
file(CONFIGURE OUTPUT ${facts} CONTENT [[
  build     @extras@, @CMAKE_C_COMPILER_ID@ @CMAKE_C_COMPILER_VERSION@, @CMAKE_SYSTEM_NAME@ @CMAKE_SYSTEM_PROCESSOR@
  OpenCL    headers of version @OpenCL_VERSION_STRING@
  libclue   interface @CLUE_ABI@ (CLUE_ABI of clue.h)
]] @ONLY)
set(output ${CLUE_LUA_DIR}/clue/build.txt)
add_custom_target(clue_build_facts ALL
  COMMAND ${CMAKE_COMMAND} -D SOURCE=${PROJECT_SOURCE_DIR} -D OUTPUT=${output} -D FACTS=${facts}
          -P ${CMAKE_CURRENT_LIST_DIR}/build_facts.cmake
  BYPRODUCTS ${output}
  COMMENT "Facts about this build"
  VERBATIM)
install(FILES ${output} DESTINATION ${CLUE_LUA_INSTALL_DIR}/clue)
