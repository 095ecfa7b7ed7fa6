/* pipe.c - what children write, and what they are sent: pipes with O_NONBLOCK, and a socket.
 *
 * The input is a socket, because after the child's end send() fails, whereas writing to a pipe would raise a signal
 * that ends the host. */
#include "../system.h"

#include <errno.h>
#include <math.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

int64_t pipe_read(int pipe, char *out, size_t room) {
    ssize_t count;
    do {
        count = read(pipe, out, room);
    } while (count < 0 && errno == EINTR);
    return count > 0 ? count : count < 0 && errno == EAGAIN ? 0 : -1;
}

int64_t pipe_size(int pipe) {
    int size = 0;
    return ioctl(pipe, FIONREAD, &size) == 0 ? size : 0;
}

int64_t pipe_send(int pipe, const char *data, size_t size) {
    ssize_t count;
    do {
        count = send(pipe, data, size, MSG_NOSIGNAL | MSG_DONTWAIT);
    } while (count < 0 && errno == EINTR);
    return count > 0 ? count : 0;
}

void pipe_close(int pipe) {
    (void)close(pipe);
}

bool pipes_await(bool *ready_out, const int *pipes, int count, double seconds) {
    struct pollfd polled[PIPES_AWAITED];
    int ready;
    for (int i = 0; i < count; i++)
        polled[i] = (struct pollfd){.fd = pipes[i], .events = POLLIN};
    ready = poll(polled, (nfds_t)count, (int)ceil(seconds * 1000));
    *ready_out = ready > 0;
    if (ready < 0 && errno != EINTR) time_pause(seconds);
    return ready >= 0 || errno != EINTR;
}
