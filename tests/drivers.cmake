# Makes folders of OpenCL drivers in <build>/tests/icd, from which tests choose: pocl, oclgrind, rusticl, both (pocl and
# oclgrind), null (tests/driver, which does nothing) and none. A test sees exactly the drivers in the folder that
# OCL_ICD_VENDORS names, whatever else the machine has.
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
clue_driver_folder(pocl ${pocl})
clue_driver_folder(rusticl ${rusticl})
clue_driver_folder(oclgrind ${oclgrind})
clue_driver_folder(both ${pocl} ${oclgrind})
clue_driver_folder(null ${CMAKE_CURRENT_BINARY_DIR}/driver/null.so)
clue_driver_folder(none)
