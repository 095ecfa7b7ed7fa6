# Makes folders of OpenCL drivers in <build>/tests/icd, from which tests choose: pocl, oclgrind, rusticl, both (pocl and
# oclgrind), null (tests/driver, which does nothing), none, and whole_pocl (PoCL as it is installed). A test sees exactly
# the drivers in the folder that OCL_ICD_VENDORS names, whatever else the machine has.
set(CLUE_ICD_DIR ${CMAKE_CURRENT_BINARY_DIR}/icd)

# Gives the content of the installed .icd file, or the path of a driver that comes without one.
function(clue_find_driver out package)
  foreach(path IN LISTS ARGN)
    if(EXISTS ${path} AND path MATCHES "\\.icd$")
      file(STRINGS ${path} library LIMIT_COUNT 1)
    elseif(EXISTS ${path})
      set(library ${path})
    endif()
  endforeach()
  if(NOT library)
    list(JOIN ARGN ", " places)
    message(FATAL_ERROR "the tests need Debian's package ${package} (${places} does not exist): ./dev setup installs "
                        "it, -DCLUE_TESTS=OFF builds without tests")
  endif()
  set(${out} ${library} PARENT_SCOPE)
endfunction()

function(clue_driver_folder folder)
  file(MAKE_DIRECTORY ${CLUE_ICD_DIR}/${folder})
  foreach(library IN LISTS ARGN)
    get_filename_component(name ${library} NAME)
    file(WRITE ${CLUE_ICD_DIR}/${folder}/${name}.icd "${library}\n")
  endforeach()
endfunction()

clue_find_driver(pocl pocl-opencl-icd /etc/OpenCL/vendors/pocl.icd)
clue_find_driver(rusticl mesa-opencl-icd /etc/OpenCL/vendors/rusticl.icd)
clue_find_driver(oclgrind oclgrind /usr/lib/oclgrind/liboclgrind-rt-icd.so)
clue_driver_folder(whole_pocl ${pocl})

# The tests' PoCL is the installed one with a library of fewer functions, which it reads in a third of the time
# (driver/lean_pocl.lua). PoCL finds its library by its own place, so links in a folder are enough. All builds use the
# folder that the plain one makes beside the caches.
get_filename_component(plain_build ${CLUE_TEST_CACHES} DIRECTORY)
set(lean_pocl ${plain_build}/pocl)
string(FIND ${plain_build}/ ${CMAKE_BINARY_DIR}/ at)
if(CLUE_LUA STREQUAL luajit AND at EQUAL 0 AND NOT CLUE_SANITIZE)
  set(is_plain_build ON)
endif()
find_library(pocl_library ${pocl} NO_CACHE)
if(pocl_library)
  get_filename_component(pocl_folder ${pocl_library} DIRECTORY)
  get_filename_component(pocl_share ${pocl_folder}/../../share/pocl ABSOLUTE)
endif()
if(pocl_library AND EXISTS ${pocl_share} AND EXISTS ${pocl_folder}/pocl)
  set(pocl ${lean_pocl}/lib/here/${pocl})
  if(is_plain_build)
    file(MAKE_DIRECTORY ${lean_pocl}/lib/here ${lean_pocl}/share/pocl)
    file(CREATE_LINK ${pocl_library} ${pocl} SYMBOLIC)
    file(CREATE_LINK ${pocl_folder}/pocl ${lean_pocl}/lib/here/pocl SYMBOLIC)
    file(GLOB shared ${pocl_share}/*)
    foreach(path IN LISTS shared)
      get_filename_component(name ${path} NAME)
      if(NOT EXISTS ${lean_pocl}/share/pocl/${name})
        file(CREATE_LINK ${path} ${lean_pocl}/share/pocl/${name} SYMBOLIC)
      endif()
    endforeach()
    add_custom_target(clue_lean_pocl ALL
      ${CMAKE_COMMAND} -E env CLUE=$<TARGET_FILE:clue> OCL_ICD_VENDORS=${CLUE_ICD_DIR}/pocl CLUE_NO_CACHE=1
      $<TARGET_FILE:clue> ${CMAKE_CURRENT_SOURCE_DIR}/driver/lean_pocl.lua ${lean_pocl} ${pocl_share}
      WORKING_DIRECTORY ${PROJECT_SOURCE_DIR} VERBATIM)
    add_dependencies(clue_lean_pocl clue clue_lua clue_host_lua clue_ffi_lua clue_ffi_generated clue_ffi_cdef)
  endif()
endif()
clue_driver_folder(pocl ${pocl})
clue_driver_folder(rusticl ${rusticl})
clue_driver_folder(oclgrind ${oclgrind})
clue_driver_folder(both ${pocl} ${oclgrind})
clue_driver_folder(null ${CMAKE_CURRENT_BINARY_DIR}/driver/null.so)
clue_driver_folder(none)

# Copies of the libraries that take most of the time of a driver's start, prelinked (driver/prelink.lua): a process that
# finds its device takes half of the time.
set(CLUE_PRELINKED ${plain_build}/prelinked)
if(is_plain_build)
  add_custom_target(clue_prelink ALL
    ${CMAKE_COMMAND} -E env CLUE=$<TARGET_FILE:clue> OCL_ICD_VENDORS=${CLUE_ICD_DIR}/none --unset=LD_LIBRARY_PATH
    $<TARGET_FILE:clue> --quiet ${CMAKE_CURRENT_SOURCE_DIR}/driver/prelink.lua ${CLUE_PRELINKED} ${pocl} ${oclgrind} ${rusticl}
    WORKING_DIRECTORY ${PROJECT_SOURCE_DIR} VERBATIM)
  add_dependencies(clue_prelink clue clue_lua clue_host_lua clue_ffi_lua clue_ffi_generated clue_ffi_cdef)
endif()
