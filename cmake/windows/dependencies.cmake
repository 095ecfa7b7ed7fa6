# What a build for Windows takes where another one finds packages: the headers of the machine that builds, an import
# library for OpenCL.dll, and LuaJIT from its sources. It needs the plain build of the same tree, whose clue makes the
# bindings' code.
set(CLUE_HOST_BUILD ${PROJECT_SOURCE_DIR}/build CACHE PATH "the plain build, whose program makes the bindings' code")
set(CLUE_SOURCES "" CACHE PATH "the folder of the unpacked sources luajit and lua-filesystem (./dev package windows)")
set(CLUE_RUN ${CLUE_HOST_BUILD}/clue)
set(windows ${CMAKE_BINARY_DIR}/windows)
file(MAKE_DIRECTORY ${windows}/include ${windows}/luajit/src)

# /usr/include itself has headers of another system. CL_TARGET_OPENCL_VERSION is the sources' own.
file(CREATE_LINK /usr/include/CL ${windows}/include/CL SYMBOLIC)
set(OpenCL_INCLUDE_DIRS ${windows}/include)
# OpenCL's header includes MinGW's <intrin.h>, the functions of every instruction set, of which its types need none.
# They would take three quarters of the time that a file of clue takes to compile.
file(CONFIGURE OUTPUT ${windows}/include/intrin.h CONTENT "/* See cmake/windows/dependencies.cmake. */\n")
set(PNG_INCLUDE_DIRS /usr/include/libpng16)
file(STRINGS /usr/include/CL/cl_version.h versions REGEX "^#define CL_VERSION_[0-9]_[0-9] ")
list(SORT versions)
list(POP_BACK versions newest)
string(REGEX REPLACE "^#define CL_VERSION_([0-9])_([0-9]).*" "\\1.\\2" OpenCL_VERSION_STRING "${newest}")

# OpenCL.dll is loaded at the first call of one of the core's functions, so clue starts without it.
file(READ host/core/trace/calls.def calls)
string(REGEX MATCHALL "cl[A-Z][A-Za-z]+" names "${calls}")
list(REMOVE_DUPLICATES names)
list(JOIN names "\n" names)
file(CONFIGURE OUTPUT ${windows}/opencl.def CONTENT "LIBRARY OpenCL.dll\nEXPORTS\n${names}\n")
find_program(CLUE_DLLTOOL ${CLUE_WINDOWS}-dlltool REQUIRED)
execute_process(COMMAND ${CLUE_DLLTOOL} -d ${windows}/opencl.def -y ${windows}/libopencl.a
                COMMAND_ERROR_IS_FATAL ANY)
add_library(OpenCL::OpenCL INTERFACE IMPORTED)
set_target_properties(OpenCL::OpenCL PROPERTIES
  INTERFACE_INCLUDE_DIRECTORIES ${OpenCL_INCLUDE_DIRS} INTERFACE_LINK_LIBRARIES ${windows}/libopencl.a)

# The room of the system's calls, also for LuaJIT, whose io and os work as elsewhere by it (names.h).
set(CLUE_SYSTEM_ROOM windows)
set(CLUE_SYSTEM_LIBRARIES psapi)

# LuaJIT's own makefile crosses. Modules are searched for with '/', as all of clue writes paths.
set(luajit ${windows}/luajit/src)
set(names ${PROJECT_SOURCE_DIR}/host/sys/windows)
find_program(CLUE_HOST_CC NAMES gcc cc REQUIRED)
add_custom_command(
  OUTPUT ${luajit}/lua51.dll ${luajit}/libluajit-5.1.dll.a
  COMMAND ${CMAKE_COMMAND} -E copy_directory ${CLUE_SOURCES}/luajit ${windows}/luajit
  COMMAND sed -i "/LUA_DIRSEP/s,\"..\",\"/\"," ${luajit}/luaconf.h
  COMMAND ${CMAKE_C_COMPILER} -O2 -D_WIN32_WINNT=0x0A00 -c ${names}/names.c -o ${windows}/names.o
  COMMAND make -C ${windows}/luajit amalg HOST_CC=${CLUE_HOST_CC} CROSS=${CLUE_WINDOWS}- TARGET_SYS=Windows
          "TARGET_CFLAGS=-include ${names}/names.h -DCLUE_FOR_LUA -Wno-address" TARGET_LIBS=${windows}/names.o > luajit.log
  DEPENDS ${names}/names.c ${names}/names.h
  WORKING_DIRECTORY ${windows}
  COMMENT "LuaJIT for Windows"
  VERBATIM)
add_custom_target(clue_luajit DEPENDS ${luajit}/lua51.dll)
add_library(PkgConfig::LUA INTERFACE IMPORTED)
set(LUA_INCLUDE_DIRS ${CLUE_SOURCES}/luajit/src)
set(CLUE_lua51_INCLUDE_DIRS ${LUA_INCLUDE_DIRS})
set(CLUE_LUA_IMPORT ${luajit}/libluajit-5.1.dll.a)
set_target_properties(PkgConfig::LUA PROPERTIES
  INTERFACE_INCLUDE_DIRECTORIES "${LUA_INCLUDE_DIRS}" INTERFACE_LINK_LIBRARIES ${CLUE_LUA_IMPORT})
add_dependencies(PkgConfig::LUA clue_luajit)
