/* terminal_calls.c - terminals at descriptors: their width, and how they are set. */
#include "../system.h"

#include <signal.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

bool terminal_is(int32_t descriptor) {
    return isatty(descriptor) == 1;
}

int32_t terminal_columns(int32_t descriptor) {
    struct winsize size;
    return ioctl(descriptor, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

static struct {
    bool known;
    struct termios modes;
} terminal;

void terminal_note(void) {
    terminal.known = isatty(STDIN_FILENO) && tcgetattr(STDIN_FILENO, &terminal.modes) == 0;
}

/* SIGTTOU would stop this process if a child had left it in the background. */
void terminal_restore(void) {
    sigset_t blocked, before;
    if (!terminal.known) return;
    sigemptyset(&blocked);
    sigaddset(&blocked, SIGTTOU);
    sigprocmask(SIG_BLOCK, &blocked, &before);
    (void)tcsetattr(STDIN_FILENO, TCSADRAIN, &terminal.modes);
    sigprocmask(SIG_SETMASK, &before, NULL);
}
