# CPack reads this once for each kind of package, when it makes it.
# It installs the components in this order: the last one describes what the others have put there.
set(components Unspecified program debian)
if(CPACK_GENERATOR STREQUAL TGZ)
  set(components Unspecified archive)
endif()
set(CPACK_INSTALL_CMAKE_PROJECTS)
foreach(component IN LISTS components)
  list(APPEND CPACK_INSTALL_CMAKE_PROJECTS ${CPACK_CLUE_FOLDER} clue ${component} /)
endforeach()
if(CPACK_GENERATOR STREQUAL TGZ)
  return()
endif()

# The libraries that the package needs, in versions with the symbols that it uses. Oclgrind's package has those that the
# simulator's plugin needs, which `clue count` and `clue check` load.
set(work ${CPACK_CLUE_FOLDER}/deb)
file(WRITE ${work}/debian/control "Source: clue\n\nPackage: clue\nArchitecture: any\n")
file(GLOB_RECURSE modules ${CPACK_CLUE_FOLDER}/lua/*.so)
list(FILTER modules EXCLUDE REGEX /clue/mpi/) # of a component that the package does not take
execute_process(
  COMMAND dpkg-shlibdeps -O --ignore-missing-info -l${CPACK_CLUE_FOLDER} ${CPACK_CLUE_FOLDER}/clue
          ${CPACK_CLUE_FOLDER}/libclue.so ${modules}
  WORKING_DIRECTORY ${work} OUTPUT_VARIABLE found ERROR_VARIABLE said RESULT_VARIABLE status)
if(NOT status EQUAL 0)
  message(FATAL_ERROR "dpkg-shlibdeps: ${said}")
endif()
string(REGEX MATCH "shlibs:Depends=([^\n]*)" _ "${found}")
list(JOIN CPACK_CLUE_LUA_PACKAGES ", " modules)
# libOpenCL.so.1 itself is not in the list: libclue_opencl names it as what need not be there.
set(CPACK_DEBIAN_PACKAGE_DEPENDS "${CMAKE_MATCH_1}, ocl-icd-libopencl1 | libopencl1, ${modules}")
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS
  "pocl-opencl-icd | opencl-icd, oclgrind, gnuplot-nox | gnuplot, libpng16-16, binutils")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "luajit | lua5.4 | lua5.1, parallel, openssh-client")
