# Lua modules are laid out in the build folder as they are installed: <folder>/lua/clue/....lua
set(CLUE_LUA_DIR ${CMAKE_BINARY_DIR}/lua)
set(CLUE_LUA_INSTALL_DIR ${CMAKE_INSTALL_DATADIR}/clue/lua)

# clue_lua_modules(TARGET PREFIX FILE...): FILE, relative to this folder, becomes module clue.[PREFIX.]FILE.
function(clue_lua_modules target prefix)
  set(outputs)
  foreach(file IN LISTS ARGN)
    set(output ${CLUE_LUA_DIR}/clue/${prefix}${file})
    add_custom_command(
      OUTPUT ${output}
      COMMAND ${CMAKE_COMMAND} -E copy ${CMAKE_CURRENT_SOURCE_DIR}/${file} ${output}
      DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${file}
      VERBATIM)
    list(APPEND outputs ${output})
    get_filename_component(folder clue/${prefix}${file} DIRECTORY)
    install(FILES ${file} DESTINATION ${CLUE_LUA_INSTALL_DIR}/${folder})
  endforeach()
  add_custom_target(${target} ALL DEPENDS ${outputs})
endfunction()
