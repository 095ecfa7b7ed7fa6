/* child_input.c - sends a child its standard input, if its host wants to talk to it.
 *
 * The input is a socket, because after the child's end send() fails, whereas writing to a pipe would raise a signal
 * that ends the host. Nothing here blocks. Needs _GNU_SOURCE for SOCK_CLOEXEC. */
#include "child.h"

#include <errno.h>
#include <sys/socket.h>
#include <unistd.h>

bool child_input_open(int ends_out[2]) {
    return socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends_out) == 0;
}

void child_input_close(child *self) {
    if (self->input >= 0) close(self->input);
    self->input = -1;
}

int64_t child_input_send(const child *self, const char *data, size_t size) {
    ssize_t count;
    do {
        count = send(self->input, data, size, MSG_NOSIGNAL | MSG_DONTWAIT);
    } while (count < 0 && errno == EINTR);
    return count > 0 ? count : 0;
}
