/* child.h - child processes, for the files of host/sys only: child.c owns the table and the public calls,
 * child_watch.c follows a child to its end, and child_stream.c keeps its output. */
#ifndef CLUE_CHILD_H
#define CLUE_CHILD_H

#include "clue.h"
#include "system.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

/* ---- child_stream.c ---- */

typedef struct child_buffer {
    char *data; /* a NUL follows the last byte, if there is memory */
    size_t size, capacity;
} child_buffer;

/* Two buffers, so that taken bytes stay where they are while more come in. */
typedef struct child_stream {
    int pipe; /* -1 when closed */
    child_buffer pending, taken;
} child_stream;

/* Reads once. Returns the number of bytes; 0 if there were none (at its end, the stream is closed); -1 without
 * memory for them. */
int64_t child_stream_read(child_stream *self);
/* Reads everything in the pipe now and closes it, even if others still hold it. False: no memory. */
bool child_stream_drain(child_stream *self);
size_t child_stream_take(const char **data_out, child_stream *self);
void child_stream_close(child_stream *self);
void child_stream_free(child_stream *self);

/* ---- the child ---- */

/* Why a child's outcome is not known. */
enum { CHILD_KNOWN = 0, CHILD_NO_MEMORY = 1, CHILD_LOST = 2 };

typedef struct child {
    bool used; /* the number is in use */
    atomic_int
        group; /* the process and its group while they may be killed, for signal handlers too; 0 before and after */
    int32_t state; /* CLUE_CHILD_* */
    int32_t value;
    int32_t limit;   /* CLUE_CHILD_TIMEOUT or _MEMORY after it was killed for that; else 0 */
    int32_t failure; /* CHILD_* */
    bool news;       /* output has come since the last wait for this child */
    /* Times of the monotonic clock; INFINITY means never. */
    double deadline, memory_check, term_sent, kill_sent;
    double memory; /* bytes; INFINITY: no limit */
    child_stream streams[SPAWN_STREAMS];
    int input; /* our end of the child's standard input; -1: none */
    bool foreground;
} child;

/* ---- child_watch.c ---- */

/* Does all work for a child without waiting: reads, notices the end, keeps the limits. greedy: reads even if much
 * output has piled up. */
void child_serve(child *self, double now, bool greedy);
/* True if the stream should be read now; false if it must wait until its output is taken. */
bool child_stream_wanted(const child_stream *self, bool greedy);
/* Kills the process; child_serve() notices the end. */
void child_kill(child *self, double now);
/* Collects a killed process whose outcome nobody wants; true when it has ended. */
bool child_reap(child *self);

#endif
