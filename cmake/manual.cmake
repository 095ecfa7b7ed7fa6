# Manual pages and completion, printed by the program that was just built. Builds for tests only do not need them.
if(CLUE_SANITIZE OR CLUE_COVERAGE OR CLUE_FUZZ)
  return()
endif()
set(CLUE_MANUAL_DIR ${CMAKE_BINARY_DIR}/manual)
file(MAKE_DIRECTORY ${CLUE_MANUAL_DIR})
file(GLOB commands RELATIVE ${PROJECT_SOURCE_DIR}/host/lua/command CONFIGURE_DEPENDS host/lua/command/*.lua)
list(TRANSFORM commands REPLACE "(.*)\\.lua" "${CLUE_MANUAL_DIR}/clue-\\1.1" OUTPUT_VARIABLE pages)
list(APPEND pages ${CLUE_MANUAL_DIR}/clue.1)
get_property(modules GLOBAL PROPERTY clue_lua_copies)
# The binding that the program uses where it has no FFI: that of its own Lua.
string(REGEX REPLACE "^lua([0-9])\\.([0-9])$" "clue_capi_lua\\1\\2" capi ${CLUE_LUA})
string(REPLACE luajit clue_capi_lua51 capi ${capi})
add_custom_command(
  OUTPUT ${pages} ${CLUE_MANUAL_DIR}/clue.bash ${CLUE_MANUAL_DIR}/clue.zsh
  COMMAND clue man --all ${CLUE_MANUAL_DIR}
  COMMAND clue completion bash > ${CLUE_MANUAL_DIR}/clue.bash
  COMMAND clue completion zsh > ${CLUE_MANUAL_DIR}/clue.zsh
  DEPENDS clue ${modules} clue_ffi_generated clue_ffi_cdef ${capi}
  VERBATIM)
add_custom_target(clue_manual ALL DEPENDS ${pages})
install(FILES ${pages} DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
install(FILES ${CLUE_MANUAL_DIR}/clue.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME clue)
# Where zsh looks by itself: Debian's for packages, zsh's own elsewhere.
set(CLUE_ZSH_DIR ${CMAKE_INSTALL_DATADIR}/zsh/site-functions CACHE PATH "where zsh finds completion")
install(FILES ${CLUE_MANUAL_DIR}/clue.zsh DESTINATION ${CLUE_ZSH_DIR} RENAME _clue)
