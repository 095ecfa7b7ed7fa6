# Tests say in their own heads what they need, in lines of this form within the first 40 of a file:
#
#   suite: quick | whole            which suite runs it; a test without this line is refused
#   builds: luajit asan lua54       the builds that run it (default: luajit; of C tests: luajit asan; of shared specs:
#                                   all; a shared one without asan runs no C code of ours that others do not run)
#   drivers: pocl oclgrind          each driver that it runs on (default: pocl); null is the one of tests/driver
#   process: shared                 one process runs many such specs; `shared alone`: it also runs by itself, at full
#                                   size; `shared bindings`: a spec with drivers that every interpreter runs, as it runs
#                                   those without, but for Lua 5.1, which shares LuaJIT's module; `lua51`: Lua 5.1 runs
#                                   it as well; `threads`: the sanitizers run it on PoCL, which has threads, user events
#                                   and shared virtual memory, and not on Oclgrind; `first`: its kernels compute much, so
#                                   the quick suite runs it on the first of its drivers only
#   tools: vim zsh                  commands that only ./dev test --whole installs; such a test is not quick
#   cost: 60                        its seconds of processor time, if they are many: the longest start first, and a C
#                                   test is compiled with optimisation
#   waits: long                     it waits for most of its time, so it runs beside as many others as compute
#   each: scripts/walkthroughs      of a spec: it is a test for each folder there, spec.NAME_FOLDER, which
#                                   CLUE_TEST_EACH names
#   runs: 5000                      of a fuzz target: its inputs in the whole suite
#
# A program has a line for each test that it is, with `arguments` at its end:
#
#   test: fuzz.parsers, suite: quick, builds: luajit asan, arguments: --count 1000
set(head_words_suite quick whole)
set(head_words_builds luajit asan lua54)
set(head_words_drivers pocl oclgrind rusticl null)
set(head_words_waits long)
set(head_words_process shared alone bindings lua51 threads first)

function(clue_check_words path key)
  foreach(word IN LISTS ARGN)
    if(DEFINED head_words_${key} AND NOT word IN_LIST head_words_${key})
      list(JOIN head_words_${key} ", " known)
      message(FATAL_ERROR "${path}: its head says '${key}: ${word}'; there are ${known}")
    endif()
  endforeach()
endfunction()

# Sets head_<key> to the list of a key's words in "suite: quick, builds: luajit asan".
function(clue_read_keys path text)
  if(text MATCHES "arguments: (.*)$")
    set(arguments "${CMAKE_MATCH_1}")
    string(REGEX REPLACE "arguments: .*$" "" text "${text}")
  endif()
  separate_arguments(arguments)
  set(head_arguments "${arguments}" PARENT_SCOPE)
  foreach(key suite builds drivers process tools cost waits each runs)
    set(head_${key})
    if(text MATCHES "(^|[ ,])${key}: ([^,]*)")
      string(STRIP "${CMAKE_MATCH_2}" head_${key})
      separate_arguments(head_${key})
    endif()
    clue_check_words(${path} ${key} ${head_${key}})
    set(head_${key} "${head_${key}}" PARENT_SCOPE)
  endforeach()
  if(NOT head_suite)
    message(FATAL_ERROR "${path}: its head does not say which suite it belongs to: it needs a line 'suite: quick' or "
                        "'suite: whole' (tests/heads.cmake has all that a head may say)")
  endif()
  if(head_tools AND head_suite STREQUAL quick)
    message(FATAL_ERROR "${path}: its head says 'suite: quick', but it needs ${head_tools}, which only ./dev test "
                        "--whole installs")
  endif()
endfunction()

# clue_read_head(PATH): sets head_suite and the others for a spec or a C test.
macro(clue_read_head path)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${path})
  file(STRINGS ${path} head_lines LIMIT_COUNT 40 REGEX "^(--| \\*) [a-z]+: ")
  list(TRANSFORM head_lines REPLACE "^(--| \\*) |\\*/ *$" "")
  list(JOIN head_lines "," head_text)
  clue_read_keys(${path} "${head_text}")
endmacro()

# clue_read_tests(OUT PATH): what follows "test: " in a program's head, a text for each.
function(clue_read_tests out path)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${path})
  file(STRINGS ${path} lines LIMIT_COUNT 40 REGEX "^(--|#) +test: ")
  list(TRANSFORM lines REPLACE "^(--|#) +test: " "")
  set(${out} "${lines}" PARENT_SCOPE)
endfunction()
