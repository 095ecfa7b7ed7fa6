# Another program finds the installed library by find_package(clue), with target clue::clue, or by pkg-config clue.
include(CMakePackageConfigHelpers)
set(CLUE_PACKAGE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/clue)

set_target_properties(libclue PROPERTIES EXPORT_NAME clue)
install(TARGETS libclue EXPORT clue_targets)
install(EXPORT clue_targets NAMESPACE clue:: FILE clueConfig.cmake DESTINATION ${CLUE_PACKAGE_DIR})
write_basic_package_version_file(${CMAKE_CURRENT_BINARY_DIR}/clueConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/clueConfigVersion.cmake DESTINATION ${CLUE_PACKAGE_DIR})

# The path from the .pc file to the prefix is relative, so an installed tree can be moved as a whole.
file(RELATIVE_PATH CLUE_PC_PREFIX ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
configure_file(${CMAKE_CURRENT_LIST_DIR}/clue.pc.in clue.pc @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/clue.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
