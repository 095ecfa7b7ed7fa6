# What an archive has more than an installed tree, so that it runs where only libc and libOpenCL.so.1 are: LuaJIT inside
# the executable, and the modules of others beside clue's. Nothing of it is installed by `cmake --install`; the package
# takes the component `archive`. Made from Debian's packages, if they are there.
#
# libedit and libpng are not inside: the prompt and PNG files use them if the machine has them. A second copy in the
# process would meet the one that a driver loads.
if(CLUE_SANITIZE OR CLUE_COVERAGE OR CLUE_FUZZ OR NOT CLUE_LUA STREQUAL luajit)
  return()
endif()
find_library(CLUE_LUAJIT_ARCHIVE libluajit-5.1.a HINTS ${LUA_LIBRARY_DIRS})
find_path(CLUE_LUA51_FOLDER argparse.lua PATHS /usr/share/lua/5.1 /usr/local/share/lua/5.1)
find_file(CLUE_LFS lfs.so PATHS /usr/lib/${CMAKE_LIBRARY_ARCHITECTURE}/lua/5.1 /usr/lib/lua/5.1 /usr/local/lib/lua/5.1)
find_path(CLUE_JIT_FOLDER jit/dump.lua PATHS /usr/share/luajit-2.1 /usr/share/luajit-2.1.0-beta3)
if(NOT (CLUE_LUAJIT_ARCHIVE AND CLUE_LUA51_FOLDER AND CLUE_LFS AND CLUE_JIT_FOLDER))
  message(STATUS "no archive can be packed: it needs LuaJIT's static library and modules, argparse, Penlight "
                 "and LuaFileSystem")
  return()
endif()
set(CLUE_PORTABLE TRUE)

# All of LuaJIT, because C modules call functions that the executable does not. Its unwinder is inside, too, and hidden:
# drivers have their own.
add_executable(clue_portable $<TARGET_OBJECTS:clue>)
set_target_properties(clue_portable PROPERTIES LINKER_LANGUAGE C OUTPUT_NAME clue ENABLE_EXPORTS ON
                                               RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/portable)
target_link_libraries(clue_portable PRIVATE libclue -Wl,--whole-archive ${CLUE_LUAJIT_ARCHIVE} -Wl,--no-whole-archive
                                            clue_sys clue_flags)
target_link_options(clue_portable PRIVATE -static-libgcc)
clue_search_libraries(clue_portable ../${CMAKE_INSTALL_LIBDIR})
install(TARGETS clue_portable COMPONENT archive EXCLUDE_FROM_ALL)

set(bundled ${CMAKE_INSTALL_DATADIR}/clue/bundled)
get_filename_component(lfs ${CLUE_LFS} REALPATH)
install(FILES ${CLUE_LUA51_FOLDER}/argparse.lua DESTINATION ${bundled}
        COMPONENT archive EXCLUDE_FROM_ALL)
install(DIRECTORY ${CLUE_LUA51_FOLDER}/pl ${CLUE_JIT_FOLDER}/jit DESTINATION ${bundled}
        COMPONENT archive EXCLUDE_FROM_ALL)
install(FILES ${lfs} DESTINATION ${bundled} RENAME lfs.so COMPONENT archive EXCLUDE_FROM_ALL)
