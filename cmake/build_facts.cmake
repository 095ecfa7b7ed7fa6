# Writes what `clue --version` tells below its first line. The build runs it each time, because a commit changes none of
# the build's files.
#   cmake -D SOURCE=... -D OUTPUT=... -D FACTS=... -P build_facts.cmake
# FACTS has the lines that configuring knows. An archive of the sources has no commit.
find_program(git git)
set(commit)
if(git AND EXISTS ${SOURCE}/.git)
  execute_process(COMMAND ${git} -C ${SOURCE} describe --always --dirty=\ and\ changes --abbrev=12
                  OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
endif()
if(NOT commit)
  set(commit "not known")
endif()
file(READ ${FACTS} facts)
file(CONFIGURE OUTPUT ${OUTPUT} CONTENT "  commit    ${commit}\n${facts}" @ONLY)
