# clue's own modules as bytecode, made by the LuaJIT that was just built in: host/main/bytecode.c takes them from there.
# A program for another system reads the sources.
if(NOT CLUE_LUA STREQUAL luajit OR CMAKE_CROSSCOMPILING)
  return()
endif()
get_property(modules GLOBAL PROPERTY clue_lua_copies)
list(APPEND modules ${CLUE_LUA_DIR}/clue/ffi/cdef.lua ${CLUE_LUA_DIR}/clue/ffi/generated.lua)
list(JOIN modules "\n" names)
file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/modules.txt CONTENT "${names}\n")
set(output ${CLUE_LUA_DIR}/clue/bytecode)
add_custom_command(
  OUTPUT ${output}
  COMMAND clue ${PROJECT_SOURCE_DIR}/cmake/bytecode.lua ${output} ${CMAKE_BINARY_DIR}/modules.txt ${CLUE_LUA_DIR}
  DEPENDS clue cmake/bytecode.lua ${CMAKE_BINARY_DIR}/modules.txt ${modules}
  VERBATIM)
add_custom_target(clue_bytecode ALL DEPENDS ${output})
install(FILES ${output} DESTINATION ${CLUE_LUA_C_INSTALL_DIR}/clue)
