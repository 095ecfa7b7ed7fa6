/* test_terminal.c - width and colour, with a pseudo-terminal that the test makes, and without a terminal.
 *
 * suite: quick */
#include "clue.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

static int terminal = -1, controller = -1, file = -1;

/* The environment comes from whoever runs the tests, so each test first sets it to allow colour. */
static int before_each(void **state) {
    (void)state;
    unsetenv("NO_COLOR");
    unsetenv("CLUE_COLOR");
    unsetenv("COLUMNS");
    setenv("TERM", "xterm", 1);
    return 0;
}

static int open_all(void **state) {
    int unlocked = 0;
    unsigned number = 0;
    char path[64];
    (void)state;
    file = open("/dev/null", O_RDWR | O_CLOEXEC);
    controller = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC);
    if (controller < 0 || ioctl(controller, TIOCSPTLCK, &unlocked) != 0) return -1;
    if (ioctl(controller, TIOCGPTN, &number) != 0) return -1;
    (void)snprintf(path, sizeof path, "/dev/pts/%u", number);
    terminal = open(path, O_RDWR | O_NOCTTY | O_CLOEXEC);
    return terminal >= 0 && file >= 0 ? 0 : -1;
}

static int close_all(void **state) {
    (void)state;
    close(terminal);
    close(controller);
    close(file);
    return 0;
}

static void set_width(unsigned short columns) {
    struct winsize size = {.ws_row = 24, .ws_col = columns};
    assert_int_equal(ioctl(terminal, TIOCSWINSZ, &size), 0);
}

static void knows_the_width_of_a_terminal(void **state) {
    (void)state;
    setenv("COLUMNS", "33", 1);
    set_width(137);
    assert_int_equal(clue_terminal_width(terminal), 137);
    set_width(40);
    assert_int_equal(clue_terminal_width(terminal), 40);
}

static void uses_columns_if_the_terminal_does_not_know(void **state) {
    (void)state;
    set_width(0);
    setenv("COLUMNS", "101", 1);
    assert_int_equal(clue_terminal_width(terminal), 101);
}

static void assumes_eighty_columns_if_nothing_sensible_is_known(void **state) {
    const char *senseless[] = {"", "0", "-5", "wide", "80x", "99999999999999999999", "20000"};
    (void)state;
    set_width(0);
    assert_int_equal(clue_terminal_width(terminal), 80);
    for (size_t i = 0; i < sizeof senseless / sizeof *senseless; i++) {
        setenv("COLUMNS", senseless[i], 1);
        assert_int_equal(clue_terminal_width(terminal), 80);
    }
}

static void a_stream_that_is_not_a_terminal_has_no_width(void **state) {
    (void)state;
    setenv("COLUMNS", "101", 1);
    assert_int_equal(clue_terminal_width(file), 0);
    assert_int_equal(clue_terminal_width(-1), 0);
    assert_int_equal(clue_terminal_width(100000), 0);
}

static void colour_is_for_terminals_only(void **state) {
    (void)state;
    assert_int_equal(clue_terminal_colour(terminal), 1);
    assert_int_equal(clue_terminal_colour(file), 0);
    assert_int_equal(clue_terminal_colour(-1), 0);
}

static void no_color_counts_when_it_is_not_empty(void **state) {
    (void)state;
    setenv("NO_COLOR", "", 1);
    assert_int_equal(clue_terminal_colour(terminal), 1);
    setenv("NO_COLOR", "0", 1);
    assert_int_equal(clue_terminal_colour(terminal), 0);
}

static void a_choice_goes_before_everything(void **state) {
    (void)state;
    setenv("NO_COLOR", "1", 1);
    setenv("CLUE_COLOR", "always", 1);
    assert_int_equal(clue_terminal_colour(terminal), 1);
    assert_int_equal(clue_terminal_colour(file), 1);
    unsetenv("NO_COLOR");
    setenv("CLUE_COLOR", "never", 1);
    assert_int_equal(clue_terminal_colour(terminal), 0);
    setenv("CLUE_COLOR", "auto", 1);
    assert_int_equal(clue_terminal_colour(terminal), 1);
    assert_int_equal(clue_terminal_colour(file), 0);
}

static void dumb_and_unknown_terminals_get_no_colour(void **state) {
    (void)state;
    setenv("TERM", "dumb", 1);
    assert_int_equal(clue_terminal_colour(terminal), 0);
    setenv("TERM", "", 1);
    assert_int_equal(clue_terminal_colour(terminal), 0);
    unsetenv("TERM");
    assert_int_equal(clue_terminal_colour(terminal), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(knows_the_width_of_a_terminal, before_each),
        cmocka_unit_test_setup(uses_columns_if_the_terminal_does_not_know, before_each),
        cmocka_unit_test_setup(assumes_eighty_columns_if_nothing_sensible_is_known, before_each),
        cmocka_unit_test_setup(a_stream_that_is_not_a_terminal_has_no_width, before_each),
        cmocka_unit_test_setup(colour_is_for_terminals_only, before_each),
        cmocka_unit_test_setup(no_color_counts_when_it_is_not_empty, before_each),
        cmocka_unit_test_setup(a_choice_goes_before_everything, before_each),
        cmocka_unit_test_setup(dumb_and_unknown_terminals_get_no_colour, before_each),
    };
    return cmocka_run_group_tests_name("terminal", tests, open_all, close_all);
}
