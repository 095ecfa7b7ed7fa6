/* keys.c - the bytes of the terminal while a line is edited.
 *
 * Meanwhile, signals are only noted. They wake the wait for the next byte through a pipe, because they may arrive
 * in a driver's thread.
 *
 * Ctrl-C makes the terminal drop the bytes that have not been read. One that the wait has seen may be gone
 * therefore, and reading must not wait for another, since nothing would wake it. Standard input itself is not set
 * to O_NONBLOCK, because the shell shares it: the terminal is opened again for that. Where it cannot be (its owner
 * is somebody else, after su), standard input is read as it is. */
#include "../system.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <unistd.h>

static const int watched[] = {SIGINT, SIGWINCH, SIGTSTP, SIGCONT, SIGTERM, SIGHUP};
enum { WATCHED = sizeof watched / sizeof *watched };

static volatile sig_atomic_t arrived[NSIG];
static struct sigaction outside[WATCHED];
static int wake[2] = {-1, -1}; /* a pipe */
static int keyboard = STDIN_FILENO;

static bool take(int number) {
    bool came = arrived[number] != 0;
    arrived[number] = 0;
    return came;
}

static void note(int number) {
    const int before = errno;
    arrived[number] = 1;
    (void)!write(wake[1], "", 1);
    errno = before;
}

bool keys_open(void) {
    int again;
    if (wake[0] >= 0) return true;
    if (pipe2(wake, O_CLOEXEC | O_NONBLOCK) != 0) return false;
    again = open("/proc/self/fd/0", O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (again >= 0) keyboard = again;
    return true;
}

/* Ignored signals stay ignored. */
void keys_begin(void) {
    struct sigaction action = {.sa_handler = note};
    sigemptyset(&action.sa_mask);
    for (int i = 0; i < WATCHED; i++) {
        arrived[watched[i]] = 0;
        sigaction(watched[i], NULL, &outside[i]);
        if (outside[i].sa_handler != SIG_IGN) sigaction(watched[i], &action, NULL);
    }
}

/* Raises a signal that ends the process again, now that the terminal is restored. */
void keys_leave(void) {
    for (int i = 0; i < WATCHED; i++)
        sigaction(watched[i], &outside[i], NULL);
    if (take(SIGTERM)) raise(SIGTERM);
    if (take(SIGHUP)) raise(SIGHUP);
}

enum keys_event keys_wait(void) {
    struct pollfd wanted[] = {{.fd = keyboard, .events = POLLIN}, {.fd = wake[0], .events = POLLIN}};
    for (;;) {
        char bytes[16];
        int ready;
        if (take(SIGWINCH)) return KEYS_RESIZED;
        if (take(SIGTSTP)) return KEYS_STOP;
        if (take(SIGCONT)) return KEYS_CONTINUED;
        if (arrived[SIGINT] || arrived[SIGTERM] || arrived[SIGHUP]) return KEYS_ENDED;
        ready = poll(wanted, 2, -1);
        if (ready < 0 && errno != EINTR) return KEYS_ENDED;
        if (ready > 0 && wanted[1].revents) (void)!read(wake[0], bytes, sizeof bytes);
        if (ready > 0 && wanted[0].revents && !wanted[1].revents) return KEYS_BYTE;
    }
}

int keys_read(char *byte_out) {
    const ssize_t count = read(keyboard, byte_out, 1);
    return count >= 0 ? (int)count : errno == EINTR || errno == EAGAIN ? -1 : -2;
}

bool keys_interrupted(void) {
    return take(SIGINT);
}

void keys_stop(void) {
    struct sigaction standard = {.sa_handler = SIG_DFL}, ours;
    sigaction(SIGTSTP, &standard, &ours);
    raise(SIGTSTP);
    sigaction(SIGTSTP, &ours, NULL);
}
