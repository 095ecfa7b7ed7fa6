/* pipe.c - what children write and read. Pipes cannot be waited for together, so a wait looks at all of them again
 * and again, at a time that no kernel's measurement notices. */
#include "room.h"

#include <io.h>

#define LOOK 0.001

static HANDLE handle_of(int pipe) {
    return (HANDLE)_get_osfhandle(pipe);
}

/* Bytes that can be read now; -1: it has ended. */
static int64_t available(int pipe) {
    DWORD size = 0;
    return PeekNamedPipe(handle_of(pipe), NULL, 0, NULL, &size, NULL) ? (int64_t)size : -1;
}

int64_t pipe_read(int pipe, char *out, size_t room) {
    const int64_t size = available(pipe);
    DWORD count = 0;
    if (size <= 0) return size;
    if (!ReadFile(handle_of(pipe), out, (DWORD)(room < (size_t)size ? room : (size_t)size), &count, NULL))
        return -1;
    return count;
}

int64_t pipe_size(int pipe) {
    const int64_t size = available(pipe);
    return size > 0 ? size : 0;
}

/* The pipe takes what it has room for, see PIPE_NOWAIT where it is made. */
int64_t pipe_send(int pipe, const char *data, size_t size) {
    enum { PART = 4096 };
    int64_t sent = 0;
    while ((size_t)sent < size) {
        const size_t left = size - (size_t)sent;
        DWORD count = 0;
        if (!WriteFile(handle_of(pipe), data + sent, (DWORD)(left < PART ? left : PART), &count, NULL) ||
            count == 0)
            break;
        sent += count;
    }
    return sent;
}

void pipe_close(int pipe) {
    (void)_close(pipe);
}

bool pipes_await(bool *ready_out, const int *pipes, int count, double seconds) {
    const double until = time_monotonic() + seconds;
    for (*ready_out = false;;) {
        const double left = until - time_monotonic();
        for (int i = 0; i < count; i++)
            if (available(pipes[i]) != 0) *ready_out = true;
        if (*ready_out || left <= 0) return true;
        if (pause_is_woken(left < LOOK ? left : LOOK)) return false;
    }
}
