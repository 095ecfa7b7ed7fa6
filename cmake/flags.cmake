# clue_flags: the options for compiling and linking every target of this project. They are not installed.
option(CLUE_WERROR "treat compiler warnings as errors (the development presets set this)" OFF)
option(CLUE_SANITIZE "build with AddressSanitizer and UndefinedBehaviorSanitizer" OFF)

add_library(clue_flags INTERFACE)
target_compile_options(clue_flags INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wstrict-prototypes -Wmissing-prototypes -Wvla
  -Wdeclaration-after-statement
  $<$<BOOL:${CLUE_WERROR}>:-Werror>)

if(CLUE_SANITIZE)
  target_compile_options(clue_flags INTERFACE
    -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(clue_flags INTERFACE -fsanitize=address,undefined)
endif()
