/* test_terminal.c - width and colour, with a pseudo-terminal that the test makes, and without a terminal.
 *
 * suite: quick */
#define BEFORE open_all
#define AFTER close_all
#include "clue.h"
#include "unit.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

static int terminal = -1, controller = -1, file = -1;

/* The environment comes from whoever runs the tests, so it is set to allow colour. */
static int open_all(void **state) {
    int unlocked = 0;
    unsigned number = 0;
    char path[64];
    (void)state;
    unsetenv("NO_COLOR");
    unsetenv("CLUE_COLOR");
    unsetenv("COLUMNS");
    setenv("TERM", "xterm", 1);
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

TEST(knows_the_width_of_a_terminal) {
    setenv("COLUMNS", "33", 1);
    set_width(137);
    assert_int_equal(clue_terminal_width(terminal), 137);
    set_width(40);
    assert_int_equal(clue_terminal_width(terminal), 40);
}

TEST(uses_columns_if_the_terminal_does_not_know) {
    set_width(0);
    setenv("COLUMNS", "101", 1);
    assert_int_equal(clue_terminal_width(terminal), 101);
}

TEST(assumes_eighty_columns_if_nothing_sensible_is_known) {
    const char *senseless[] = {"", "0", "-5", "wide", "80x", "99999999999999999999", "20000"};
    set_width(0);
    assert_int_equal(clue_terminal_width(terminal), 80);
    for (size_t i = 0; i < sizeof senseless / sizeof *senseless; i++) {
        setenv("COLUMNS", senseless[i], 1);
        assert_int_equal(clue_terminal_width(terminal), 80);
    }
}

TEST(a_stream_that_is_not_a_terminal_has_no_width) {
    setenv("COLUMNS", "101", 1);
    assert_int_equal(clue_terminal_width(file), 0);
    assert_int_equal(clue_terminal_width(-1), 0);
    assert_int_equal(clue_terminal_width(100000), 0);
}

TEST(colour_is_for_terminals_only) {
    assert_int_equal(clue_terminal_colour(terminal), 1);
    assert_int_equal(clue_terminal_colour(file), 0);
    assert_int_equal(clue_terminal_colour(-1), 0);
}

TEST(no_color_counts_when_it_is_not_empty) {
    setenv("NO_COLOR", "", 1);
    assert_int_equal(clue_terminal_colour(terminal), 1);
    setenv("NO_COLOR", "0", 1);
    assert_int_equal(clue_terminal_colour(terminal), 0);
}

TEST(a_choice_goes_before_everything) {
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

TEST(dumb_and_unknown_terminals_get_no_colour) {
    setenv("TERM", "dumb", 1);
    assert_int_equal(clue_terminal_colour(terminal), 0);
    setenv("TERM", "", 1);
    assert_int_equal(clue_terminal_colour(terminal), 0);
    unsetenv("TERM");
    assert_int_equal(clue_terminal_colour(terminal), 0);
}
