# The archive for Windows: one folder with all that clue needs there but OpenCL.dll, which comes with the drivers.
# `./dev package windows` makes it.
add_library(clue_lfs MODULE ${CLUE_SOURCES}/lua-filesystem/src/lfs.c)
target_link_libraries(clue_lfs PRIVATE PkgConfig::LUA)
set_target_properties(clue_lfs PROPERTIES PREFIX "" OUTPUT_NAME lfs LIBRARY_OUTPUT_DIRECTORY ${CLUE_LUA_DIR})

# What clue finds beside its own modules, in the build folder as in the archive.
find_path(CLUE_LUA51_FOLDER argparse.lua PATHS /usr/share/lua/5.1 NO_CMAKE_FIND_ROOT_PATH REQUIRED)
file(COPY ${CLUE_LUA51_FOLDER}/argparse.lua ${CLUE_LUA51_FOLDER}/pl ${CLUE_SOURCES}/luajit/src/jit
     DESTINATION ${CLUE_LUA_DIR} FILES_MATCHING PATTERN *.lua)
add_custom_command(
  OUTPUT ${CMAKE_BINARY_DIR}/lua51.dll
  COMMAND cp ${luajit}/lua51.dll ${CMAKE_BINARY_DIR}
  COMMAND cp ${luajit}/jit/vmdef.lua ${CLUE_LUA_DIR}/jit
  DEPENDS ${luajit}/lua51.dll)
add_custom_target(clue_lua_dll ALL DEPENDS ${CMAKE_BINARY_DIR}/lua51.dll)

install(TARGETS clue_lfs LIBRARY DESTINATION lua)
install(TARGETS libclue RUNTIME DESTINATION . ARCHIVE DESTINATION .)
install(FILES ${CMAKE_BINARY_DIR}/lua51.dll DESTINATION .)
install(DIRECTORY ${CLUE_LUA_DIR}/pl ${CLUE_LUA_DIR}/jit DESTINATION lua)
install(FILES ${CLUE_LUA_DIR}/argparse.lua DESTINATION lua)
# What editors know of clue is the same on each system; the plain build made it if it has LDoc.
install(DIRECTORY ${CLUE_HOST_BUILD}/luacats DESTINATION . OPTIONAL)

# Licences and the bill of materials: of the Debian packages with the same sources, and of the compiler's own parts.
foreach(part libgcc.a libmingwex.a)
  execute_process(COMMAND ${CMAKE_C_COMPILER} -print-file-name=${part} OUTPUT_VARIABLE path
                  OUTPUT_STRIP_TRAILING_WHITESPACE)
  get_filename_component(path ${path} REALPATH)
  list(APPEND parts ${path})
endforeach()
find_library(CLUE_LUAJIT_ARCHIVE libluajit-5.1.a PATHS /usr/lib/x86_64-linux-gnu NO_CMAKE_FIND_ROOT_PATH REQUIRED)
list(APPEND parts /usr/include/CL/cl.h ${CLUE_LUAJIT_ARCHIVE} ${CLUE_LUA51_FOLDER}/argparse.lua
     ${CLUE_LUA51_FOLDER}/pl/init.lua /usr/share/doc/lua-filesystem/copyright)
list(JOIN parts "\" \"" parts)
install(CODE "
  execute_process(COMMAND \"${CLUE_RUN}\" \"${PROJECT_SOURCE_DIR}/cmake/package/materials.lua\"
    \"${PROJECT_VERSION}\" \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}\" doc \"${PROJECT_SOURCE_DIR}/LICENSE\" \"${parts}\"
    COMMAND_ERROR_IS_FATAL ANY)")

set(CPACK_GENERATOR ZIP)
set(CPACK_PACKAGE_NAME clue)
set(CPACK_PACKAGE_VENDOR "the clue authors")
set(CPACK_PACKAGE_FILE_NAME clue-${PROJECT_VERSION}-windows-x86_64)
set(CPACK_PACKAGE_DIRECTORY ${CMAKE_BINARY_DIR})
set(CPACK_PACKAGE_CHECKSUM SHA256)
set(CPACK_STRIP_FILES ON)
set(CPACK_VERBATIM_VARIABLES ON)
include(CPack)
