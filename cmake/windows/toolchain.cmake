# Builds for 64-bit Windows with Debian's cross compiler: the preset `windows`.
set(CMAKE_SYSTEM_NAME Windows)
set(CMAKE_SYSTEM_PROCESSOR x86_64)
set(CLUE_WINDOWS x86_64-w64-mingw32)
set(CMAKE_C_COMPILER ${CLUE_WINDOWS}-gcc-posix)
set(CMAKE_RC_COMPILER ${CLUE_WINDOWS}-windres)
set(CMAKE_FIND_ROOT_PATH /usr/${CLUE_WINDOWS})
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
# Nothing of the compiler's is beside clue.exe.
set(CMAKE_EXE_LINKER_FLAGS_INIT -static)
set(CMAKE_SHARED_LINKER_FLAGS_INIT -static)
set(CMAKE_MODULE_LINKER_FLAGS_INIT -static)
