# The packages: `cpack` in a build folder, or `./dev package`, makes a .deb and an archive. An archive has what an
# installed tree has, and what cmake/portable.cmake adds. Both have a bill of materials (SPDX) and the licences of what
# they contain, which cmake/package/materials.lua makes while they are packed.
set(CLUE_DOC_DIR ${CMAKE_INSTALL_DATADIR}/doc/clue)

# clue_describe(COMPONENT FILE-OR-PACKAGE...): files of others of which the package has copies or parts, and the names
# of Debian packages that it needs besides libraries.
function(clue_describe component)
  list(JOIN ARGN "\" \"" files)
  install(CODE "
    execute_process(COMMAND \"$<TARGET_FILE:clue>\" \"${PROJECT_SOURCE_DIR}/cmake/package/materials.lua\"
      \"${PROJECT_VERSION}\" \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}\" \"${CLUE_DOC_DIR}\"
      \"${PROJECT_SOURCE_DIR}/LICENSE\" \"${files}\" COMMAND_ERROR_IS_FATAL ANY)"
    COMPONENT ${component} EXCLUDE_FROM_ALL)
endfunction()
list(GET OpenCL_INCLUDE_DIRS 0 headers)
set(parts ${headers}/CL/cl.h)

if(CLUE_PORTABLE)
  execute_process(COMMAND ${CMAKE_C_COMPILER} -print-file-name=libgcc_eh.a OUTPUT_VARIABLE unwinder
                  OUTPUT_STRIP_TRAILING_WHITESPACE)
  clue_describe(archive ${parts} ${CLUE_LUAJIT_ARCHIVE} ${unwinder} ${CLUE_LFS} ${CLUE_LUA51_FOLDER}/argparse.lua
                ${CLUE_LUA51_FOLDER}/pl/init.lua ${CLUE_JIT_FOLDER}/jit/dump.lua)
endif()

set(CPACK_PACKAGE_CONTACT "The clue authors <clue@localhost>" CACHE STRING "the maintainer whom the .deb names")
set(CPACK_CLUE_LUA_PACKAGES lua-argparse lua-filesystem lua-penlight)

# What only Debian's package has: its documents, compressed pages, and other folders for completion.
clue_describe(debian ${parts} ${CPACK_CLUE_LUA_PACKAGES})
install(FILES cmake/package/lintian-overrides DESTINATION ${CMAKE_INSTALL_DATADIR}/lintian/overrides RENAME clue
        COMPONENT debian EXCLUDE_FROM_ALL)
install(CODE "
  execute_process(COMMAND \"${PROJECT_SOURCE_DIR}/cmake/package/debianise\" \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}\"
    \"${PROJECT_SOURCE_DIR}\" \"${PROJECT_VERSION}\" \"${CLUE_ZSH_DIR}\" \"${CPACK_PACKAGE_CONTACT}\"
    COMMAND_ERROR_IS_FATAL ANY)"
  COMPONENT debian EXCLUDE_FROM_ALL)

string(TOLOWER ${CMAKE_SYSTEM_NAME} system)
set(CPACK_GENERATOR DEB)
if(CLUE_PORTABLE)
  list(APPEND CPACK_GENERATOR TGZ)
endif()
set(CPACK_PACKAGE_NAME clue)
set(CPACK_PACKAGE_VENDOR "the clue authors")
set(CPACK_PACKAGE_FILE_NAME clue-${PROJECT_VERSION}-${system}-${CMAKE_SYSTEM_PROCESSOR})
set(CPACK_PACKAGE_DIRECTORY ${CMAKE_BINARY_DIR})
set(CPACK_PACKAGE_CHECKSUM SHA256)
set(CPACK_STRIP_FILES ON)
set(CPACK_VERBATIM_VARIABLES ON)
set(CPACK_MONOLITHIC_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_DEBIAN_PACKAGE_SECTION interpreters)
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "OpenCL scripting host for Lua")
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION
"clue runs Lua scripts on OpenCL devices: a kernel as a string, run on the
device that you choose. It has MQL5's OpenCL interface and OpenCL's objects,
replays published optimisation walkthroughs step by step, and measures,
verifies, traces, counts, checks and tunes kernels.")
# CPack's own shlibs come with scripts that call ldconfig, which the trigger does.
file(WRITE ${CMAKE_BINARY_DIR}/deb/shlibs "libclue ${CLUE_ABI} clue (= ${PROJECT_VERSION}-1)\n")
set(CPACK_DEBIAN_PACKAGE_CONTROL_EXTRA ${PROJECT_SOURCE_DIR}/cmake/package/triggers ${CMAKE_BINARY_DIR}/deb/shlibs)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
# Read when a package is made: the variables above cannot know its dependencies.
set(CPACK_PROJECT_CONFIG_FILE ${PROJECT_SOURCE_DIR}/cmake/package/config.cmake)
set(CPACK_CLUE_FOLDER ${CMAKE_BINARY_DIR})
include(CPack)
