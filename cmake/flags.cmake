# clue_flags: the options for compiling and linking every target of this project. They are not installed.
option(CLUE_WERROR "treat compiler warnings as errors (the development presets set this)" OFF)
option(CLUE_LTO "optimise libclue as a whole when it is linked" ON)
option(CLUE_SANITIZE "build with AddressSanitizer and UndefinedBehaviorSanitizer" OFF)
option(CLUE_COVERAGE "count which lines and branches run (gcc only)" OFF)
option(CLUE_QUICK "optimise less, to compile faster (the presets of builds that only tests run set this)" OFF)
option(CLUE_FUZZ "build the fuzz targets with libFuzzer, and no other test (clang only)" OFF)

# A debugger gets functions and lines for its backtraces; a build of the type Debug describes variables, too.
string(REGEX REPLACE "(^| )-g( |$)" "\\1-g1\\2" CMAKE_C_FLAGS_RELWITHDEBINFO "${CMAKE_C_FLAGS_RELWITHDEBINFO}")
# These come before a target's own options, which may say otherwise.
if(CLUE_QUICK)
  if(CLUE_SANITIZE AND NOT CLUE_FUZZ) # to optimise what the sanitizers add takes gcc longer than the code itself
    add_compile_options(-O0)
  else()
    add_compile_options(-O1)
  endif()
endif()

add_library(clue_flags INTERFACE)
target_compile_options(clue_flags INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wstrict-prototypes -Wmissing-prototypes -Wvla
  -Wdeclaration-after-statement
  $<$<BOOL:${CLUE_WERROR}>:-Werror>
  # MinGW takes printf's formats for Microsoft's, and its macros round: the other builds warn of these.
  $<$<BOOL:${MINGW}>:-Wno-format;-Wno-format-extra-args;-Wno-float-conversion>
  $<$<AND:$<BOOL:${CLUE_QUICK}>,$<C_COMPILER_ID:GNU>>:-Wno-format-truncation>) # -O1 knows less of the ranges of numbers

# clue_hardening: what turns a fault of memory into an end of the process, instead of something an attacker can use. The
# sanitizers find such faults themselves, and need the functions that _FORTIFY_SOURCE replaces.
add_library(clue_hardening INTERFACE)
target_link_libraries(clue_flags INTERFACE clue_hardening)
include(CheckCCompilerFlag)
include(CheckPIESupported)
check_pie_supported()
check_c_compiler_flag(-fcf-protection CLUE_HAS_CF_PROTECTION) # x86 only
if(NOT CLUE_SANITIZE AND NOT WIN32)
  target_compile_options(clue_hardening INTERFACE
    -fstack-protector-strong -fstack-clash-protection $<$<BOOL:${CLUE_HAS_CF_PROTECTION}>:-fcf-protection>
    $<$<NOT:$<CONFIG:Debug>>:-U_FORTIFY_SOURCE;-D_FORTIFY_SOURCE=3>)
endif()
if(NOT WIN32) # its linker does the like by itself
  target_link_options(clue_hardening INTERFACE -Wl,-z,relro -Wl,-z,now -Wl,-z,noexecstack)
endif()

if(CLUE_SANITIZE)
  target_compile_options(clue_flags INTERFACE
    -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(clue_flags INTERFACE -fsanitize=address,undefined)
endif()

# Counts which branches an input takes, by which libFuzzer chooses the inputs to change.
if(CLUE_FUZZ)
  target_compile_options(clue_flags INTERFACE -fsanitize=fuzzer-no-link)
endif()

# Children of a test run at the same time, and drivers have threads. Errors that end a process by abort() or a signal
# leave no counts.
if(CLUE_COVERAGE)
  target_compile_options(clue_flags INTERFACE --coverage -fprofile-update=atomic)
  target_link_options(clue_flags INTERFACE --coverage)
endif()
