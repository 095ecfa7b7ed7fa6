/* test_keys.c - reading keys from a pseudo-terminal that takes the place of standard input.
 *
 * suite: quick */
#define BEFORE open_all
#define AFTER close_all
#include "../../host/sys/system.h"
#include "unit.h"

#include <fcntl.h>
#include <pty.h>
#include <termios.h>
#include <unistd.h>

static int controller = -1, before = -1;

/* Each byte can be read at once, as while a line is edited. */
static int open_all(void **state) {
    int terminal;
    struct termios modes;
    (void)state;
    before = dup(STDIN_FILENO);
    if (openpty(&controller, &terminal, NULL, NULL, NULL) != 0 || tcgetattr(terminal, &modes) != 0) return -1;
    modes.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
    if (tcsetattr(terminal, TCSANOW, &modes) != 0 || dup2(terminal, STDIN_FILENO) < 0) return -1;
    close(terminal);
    return keys_open() ? 0 : -1;
}

static int close_all(void **state) {
    (void)state;
    (void)dup2(before, STDIN_FILENO);
    close(before);
    close(controller);
    return 0;
}

TEST(a_key_that_is_dropped_after_the_wait_is_not_waited_for) {
    char byte = 0;
    assert_int_equal(write(controller, "ab", 2), 2);
    assert_int_equal(keys_wait(), KEYS_BYTE);
    assert_int_equal(keys_read(&byte), 1);
    assert_int_equal(byte, 'a');
    assert_int_equal(keys_wait(), KEYS_BYTE);
    assert_int_equal(tcflush(STDIN_FILENO, TCIFLUSH), 0); /* as Ctrl-C does */
    alarm(20);
    assert_int_equal(keys_read(&byte), -1);
    alarm(0);
    assert_int_equal(write(controller, "c", 1), 1);
    assert_int_equal(keys_wait(), KEYS_BYTE);
    assert_int_equal(keys_read(&byte), 1);
    assert_int_equal(byte, 'c');
}

TEST(reading_leaves_standard_input_as_it_was) {
    assert_int_equal(fcntl(STDIN_FILENO, F_GETFL) & O_NONBLOCK, 0);
}
