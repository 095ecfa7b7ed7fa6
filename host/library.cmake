# libclue itself.
add_library(libclue SHARED)
set_target_properties(libclue PROPERTIES OUTPUT_NAME clue)
if(NOT CLUE_ROCK) # luarocks does not keep links
  set_target_properties(libclue PROPERTIES VERSION ${PROJECT_VERSION} SOVERSION ${CLUE_ABI})
endif()
# Most of its functions are small and call functions of other files: linked as one, a call of clue costs up to a fifth
# less. The objects also contain machine code, so that each of the C tests links them in the usual, faster way; only GCC
# makes such objects.
if(CLUE_LTO AND NOT CMAKE_BUILD_TYPE STREQUAL Debug AND CMAKE_C_COMPILER_ID STREQUAL GNU AND NOT CLUE_SANITIZE)
  target_compile_options(libclue PRIVATE -flto -ffat-lto-objects)
  target_link_options(libclue PRIVATE -flto=auto)
  set_source_files_properties(sys/${CLUE_SYSTEM_ROOM}/time.c PROPERTIES COMPILE_OPTIONS "-flto;-ffat-lto-objects") # for each command
endif()
target_include_directories(libclue PUBLIC $<BUILD_INTERFACE:${CMAKE_CURRENT_SOURCE_DIR}/include>
                                          $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
# libpng's headers only: it is loaded when a script first asks for it.
target_include_directories(libclue PRIVATE ${PNG_INCLUDE_DIRS})
target_link_libraries(libclue PRIVATE clue_sys)
# Without libOpenCL.so.1, clue starts and says what to install (opencl_missing.c). Other loaders than glibc's ignore what
# that needs, and luarocks takes one library only.
include(CheckSymbolExists)
check_symbol_exists(__GLIBC__ features.h CLUE_HAS_GLIBC)
if(CLUE_HAS_GLIBC AND NOT CLUE_ROCK)
  add_library(clue_opencl SHARED opencl_missing.c)
  target_link_libraries(clue_opencl PRIVATE clue_flags)
  target_link_options(clue_opencl PRIVATE "LINKER:--auxiliary=libOpenCL.so.1")
  target_include_directories(libclue PRIVATE $<TARGET_PROPERTY:OpenCL::OpenCL,INTERFACE_INCLUDE_DIRECTORIES>)
  target_link_libraries(libclue PRIVATE clue_opencl)
  install(TARGETS clue_opencl EXPORT clue_targets)
else()
  target_link_libraries(libclue PRIVATE OpenCL::OpenCL)
endif()
target_compile_definitions(libclue PRIVATE CL_TARGET_OPENCL_VERSION=300
                                                   CL_USE_DEPRECATED_OPENCL_1_1_APIS
                                                   CL_USE_DEPRECATED_OPENCL_1_2_APIS)
add_subdirectory(core)
add_subdirectory(sys)
clue_search_libraries(libclue .)
