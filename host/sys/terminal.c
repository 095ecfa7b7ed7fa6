/* terminal.c - the width of the terminal at a descriptor, and whether it should show colour. */
#include "clue.h"
#include "system.h"

#include <stdlib.h>
#include <string.h>

enum { USUAL_WIDTH = 80, WIDEST = 10000 };

/* The variable's text; "" if it is not set. */
static const char *text_of(const char *variable) {
    const char *value = getenv(variable);
    return value != NULL ? value : "";
}

/* The number in COLUMNS; 0 if it is not a sensible number. */
static int32_t width_from_environment(void) {
    char *end;
    long columns = strtol(text_of("COLUMNS"), &end, 10);
    return *end == '\0' && columns > 0 && columns <= WIDEST ? (int32_t)columns : 0;
}

/* A terminal that does not know its width (a serial line, some containers) reports 0 columns. Then the user's
 * COLUMNS counts, or else the usual width, because 0 would mean that it is not a terminal. */
int32_t clue_terminal_width(int32_t descriptor) {
    int32_t columns;
    if (!terminal_is(descriptor)) return 0;
    columns = terminal_columns(descriptor);
    if (columns == 0) columns = width_from_environment();
    return columns > 0 ? columns : USUAL_WIDTH;
}

/* CLUE_COLOR, which --color sets, goes before NO_COLOR, which counts if it is not empty (no-color.org). Without
 * TERM nothing is known about the terminal, so there is no colour. */
int32_t clue_terminal_colour(int32_t descriptor) {
    const char *term = text_of("TERM"), *choice = text_of("CLUE_COLOR");
    if (strcmp(choice, "always") == 0) return 1;
    if (strcmp(choice, "never") == 0) return 0;
    return terminal_is(descriptor) && *text_of("NO_COLOR") == '\0' && *term != '\0' && strcmp(term, "dumb") != 0;
}
