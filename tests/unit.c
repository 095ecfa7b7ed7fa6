/* unit.c - runs the tests of a program in C: see unit.h. */
#define _GNU_SOURCE /* program_invocation_short_name: NOLINT(clang-diagnostic-reserved-macro-identifier) */
#include "unit.h"

#include <errno.h>

enum { MOST = 200 };

static struct CMUnitTest tests[MOST];
static int lines[MOST], count;

/* The compiler decides in which order the tests arrive. */
void unit_add(struct CMUnitTest test, int line) {
    int at = count++;
    if (at == MOST) __builtin_trap();
    for (; at > 0 && lines[at - 1] > line; at--) {
        tests[at] = tests[at - 1];
        lines[at] = lines[at - 1];
    }
    tests[at] = test;
    lines[at] = line;
}

int unit_run(void) {
    return _cmocka_run_group_tests(program_invocation_short_name, tests, (size_t)count, NULL, NULL);
}

__attribute__((weak)) int main(void) {
    return unit_run();
}
