# Lua modules have the same layout in the build folder as after installation: <folder>/lua/clue/....lua
set(CLUE_LUA_DIR ${CMAKE_BINARY_DIR}/lua)
# Modules of C are installed elsewhere: what depends on the machine's kind does not belong below share.
set(CLUE_SHARE_DIR ${CMAKE_INSTALL_DATADIR}/clue)
set(CLUE_LUA_C_INSTALL_DIR ${CMAKE_INSTALL_LIBDIR}/clue/lua)
if(WIN32) # all in one folder, where that of the Lua modules is beside the executable as in a build folder
  set(CLUE_SHARE_DIR .)
  set(CLUE_LUA_C_INSTALL_DIR lua)
endif()
set(CLUE_LUA_INSTALL_DIR ${CLUE_SHARE_DIR}/lua)
set(CLUE_LIBRARY_INSTALL_DIR ${CMAKE_INSTALL_FULL_LIBDIR})
# Where libclue is, seen from the folder that holds the installed Lua modules.
file(RELATIVE_PATH CLUE_LIBRARY_PLACE ${CMAKE_INSTALL_PREFIX}/${CLUE_LUA_INSTALL_DIR} ${CMAKE_INSTALL_FULL_LIBDIR})
# What makes the bindings' code: the interpreter that was just built, unless it is for another system.
if(NOT CLUE_RUN)
  set(CLUE_RUN clue)
endif()
if(CLUE_ROCK)
  include(cmake/rock.cmake)
endif()

# Each name space has one folder, so a module's name gives the place of its file.
function(clue_lua_claim namespace)
  get_property(owner GLOBAL PROPERTY clue_lua_folder_of_${namespace})
  if(owner AND NOT owner STREQUAL CMAKE_CURRENT_SOURCE_DIR)
    message(FATAL_ERROR "${namespace}: its modules are in two folders, ${owner} and ${CMAKE_CURRENT_SOURCE_DIR}")
  endif()
  set_property(GLOBAL PROPERTY clue_lua_folder_of_${namespace} ${CMAKE_CURRENT_SOURCE_DIR})
endfunction()

# clue_lua_modules(TARGET NAMESPACE [EXCEPT FILE...]): each Lua file in this folder and its subfolders becomes a module
# named after its path: result/row.lua is NAMESPACE.result.row. NAMESPACE is a path: clue, clue/ffi. Where the system's
# room has a module of that name, it is taken: host/sys/windows/lua/clue/command/count.lua.
function(clue_lua_modules target namespace)
  cmake_parse_arguments(PARSE_ARGV 2 modules "" "" EXCEPT)
  file(GLOB_RECURSE files RELATIVE ${CMAKE_CURRENT_SOURCE_DIR} CONFIGURE_DEPENDS *.lua)
  list(REMOVE_ITEM files ${modules_EXCEPT})
  set(outputs)
  foreach(file IN LISTS files)
    get_filename_component(folder ${namespace}/${file} DIRECTORY)
    clue_lua_claim(${folder})
    file(MAKE_DIRECTORY ${CLUE_LUA_DIR}/${folder})
    set(output ${CLUE_LUA_DIR}/${namespace}/${file})
    set(source ${CMAKE_CURRENT_SOURCE_DIR}/${file})
    if(EXISTS ${PROJECT_SOURCE_DIR}/host/sys/${CLUE_SYSTEM_ROOM}/lua/${namespace}/${file})
      set(source ${PROJECT_SOURCE_DIR}/host/sys/${CLUE_SYSTEM_ROOM}/lua/${namespace}/${file})
    endif()
    add_custom_command(
      OUTPUT ${output}
      COMMAND cp ${source} ${output} # cmake -E copy takes five times as long
      DEPENDS ${source}
      VERBATIM)
    list(APPEND outputs ${output})
    install(FILES ${source} DESTINATION ${CLUE_LUA_INSTALL_DIR}/${folder})
  endforeach()
  add_custom_target(${target} ALL DEPENDS ${outputs})
  set_property(GLOBAL APPEND PROPERTY clue_lua_copies ${outputs})
endfunction()

# Removes from the build folder the modules whose sources were deleted. Otherwise the program still finds them there,
# and a `require` that fails in a new clone works here. Called after all clue_lua_modules().
function(clue_lua_remove_stale)
  get_property(copies GLOBAL PROPERTY clue_lua_copies)
  set(stale ${CLUE_LUA_COPIES})
  list(REMOVE_ITEM stale ${copies})
  if(stale)
    file(REMOVE ${stale})
  endif()
  set(CLUE_LUA_COPIES ${copies} CACHE INTERNAL "the modules that the last configuration copies")
endfunction()

# clue_lua_c_modules(FOLDER FILE...): builds C sources as modules over the Lua C API: FOLDER/lua51 for Lua 5.1 and
# LuaJIT, FOLDER/lua54 for Lua 5.4, and so on, one for each Lua whose headers are installed. The interpreter that loads
# a module provides Lua's symbols. The sources define CLUE_LUA_OPEN. The caller may set CLUE_LUA_C_COMPONENT, to which
# they then belong when they are installed.
function(clue_lua_c_modules folder)
  if(WIN32)
    clue_lua_c_module(${folder} lua51 "" ${ARGN})
    return()
  endif()
  if(CLUE_ROCK)
    set(CLUE_${CLUE_ROCK_MODULE}_INCLUDE_DIRS ${CLUE_ROCK_INCDIR})
    clue_lua_c_module(${folder} ${CLUE_ROCK_MODULE} "" ${ARGN})
    return()
  endif()
  clue_lua_c_module(${folder} lua51 "lua5.1;lua51;lua-5.1;luajit" ${ARGN})
  clue_lua_c_module(${folder} lua52 "lua5.2;lua52;lua-5.2" ${ARGN})
  clue_lua_c_module(${folder} lua53 "lua5.3;lua53;lua-5.3" ${ARGN})
  clue_lua_c_module(${folder} lua54 "lua5.4;lua54;lua-5.4" ${ARGN})
endfunction()

# Builds one of them, with the first of these pkg-config packages that exists; for a rock, without one.
function(clue_lua_c_module folder name packages)
  if(packages)
    pkg_search_module(CLUE_${name} ${packages})
  endif()
  if(packages AND NOT CLUE_${name}_FOUND)
    return()
  endif()
  string(REPLACE / _ module ${folder}/${name})
  add_library(${module} MODULE ${ARGN})
  target_include_directories(${module} SYSTEM PRIVATE ${CLUE_${name}_INCLUDE_DIRS})
  target_compile_definitions(${module} PRIVATE CLUE_LUA_OPEN=luaopen_${module})
  target_link_libraries(${module} PRIVATE libclue clue_sys clue_flags)
  # LuaJIT unloads modules while it closes, and afterwards finalises the objects that a script's own __gc made
  # meanwhile.
  if(WIN32)
    target_link_libraries(${module} PRIVATE PkgConfig::LUA)
  else()
    target_link_options(${module} PRIVATE LINKER:-z,nodelete)
  endif()
  set(installed ${CLUE_LUA_C_INSTALL_DIR}/${folder})
  get_filename_component(place ${installed} ABSOLUTE BASE_DIR ${CMAKE_INSTALL_PREFIX})
  file(RELATIVE_PATH to_library ${place} ${CLUE_LIBRARY_INSTALL_DIR})
  file(RELATIVE_PATH to_build ${CLUE_LUA_DIR}/${folder} ${CMAKE_BINARY_DIR})
  set_target_properties(${module} PROPERTIES PREFIX "" OUTPUT_NAME ${name}
    LIBRARY_OUTPUT_DIRECTORY ${CLUE_LUA_DIR}/${folder})
  if(CLUE_ROCK)
    set(to_build)
  endif()
  clue_search_libraries(${module} ${to_build} ${to_library})
  if(NOT CLUE_LUA_C_COMPONENT)
    set(CLUE_LUA_C_COMPONENT Unspecified)
  endif()
  install(TARGETS ${module} LIBRARY DESTINATION ${installed} COMPONENT ${CLUE_LUA_C_COMPONENT})
endfunction()
