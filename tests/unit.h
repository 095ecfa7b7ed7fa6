/* unit.h - a C test is one or more files of these, which run in the order of the file:
 *
 *   TEST(what_it_shows) {
 *       assert_int_equal(1 + 1, 2);
 *   }
 *
 * cmocka has the assertions. A file that wants a function called before or after each of its tests defines BEFORE
 * or AFTER as that function's name, above its #include lines. A test program needs no main(); one with a main() of
 * its own calls unit_run(). */
#ifndef CLUE_TEST_UNIT_H
#define CLUE_TEST_UNIT_H

/* for cmocka.h */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka.h needs those above */
#include <cmocka.h>

#ifndef BEFORE
#define BEFORE NULL
#endif
#ifndef AFTER
#define AFTER NULL
#endif

#define TEST(name) TEST_BETWEEN(name, BEFORE, AFTER)
#define TEST_BETWEEN(name, before, after)                                                                          \
    static void name(void **);                                                                                     \
    __attribute__((constructor)) static void add_##name(void) {                                                    \
        unit_add((struct CMUnitTest){#name, name, before, after, NULL}, __LINE__);                                 \
    }                                                                                                              \
    static void name(void **state __attribute__((unused)))

void unit_add(struct CMUnitTest test, int line);
/* Runs all tests. Returns how many failed. */
int unit_run(void);

#endif
