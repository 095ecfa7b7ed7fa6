/* child.h - child processes, for the files of host/sys only: child.c owns the table and the public calls,
 * child_spawn.c starts a child, child_watch.c follows it to its end, child_stream.c reads its output, child_input.c
 * sends its input, and child_memory.c adds up the memory of its group. */
#ifndef CLUE_CHILD_H
#define CLUE_CHILD_H

#include "clue.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* ---- child_stream.c ---- */

typedef struct child_buffer {
    char *data; /* a NUL follows the last byte, if there is memory */
    size_t size, capacity;
} child_buffer;

/* Two buffers, so that taken bytes stay where they are while more come in. */
typedef struct child_stream {
    int descriptor; /* the pipe's reading end, non-blocking; -1 when closed */
    child_buffer pending, taken;
} child_stream;

/* Reads once. Returns the number of bytes; 0 if there were none (at its end, the stream is closed); -1 without
 * memory for them. */
ssize_t child_stream_read(child_stream *self);
/* Reads everything in the pipe now and closes it, even if others still hold it. False: no memory. */
bool child_stream_drain(child_stream *self);
size_t child_stream_take(const char **data_out, child_stream *self);
void child_stream_close(child_stream *self);
void child_stream_free(child_stream *self);

/* ---- the child ---- */

enum { CHILD_STREAMS = 3 };

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
    child_stream streams[CHILD_STREAMS];
    int input; /* our end of the child's standard input; -1: none */
} child;

/* ---- child_spawn.c ---- */

/* Starts the process; the caller has checked the options. 0, or the code of the recorded failure. */
int32_t child_spawn(child *self, const clue_child_options *options);
/* A child in the foreground (one at a time) alone gets Ctrl-C until its end. */
void child_foreground_begin(const child *self);
void child_foreground_end(const child *self);
bool child_foreground_taken(void);

/* ---- child_input.c ---- */

/* Makes two ends, ours and the child's; false and errno after a failure. */
bool child_input_open(int ends_out[2]);
void child_input_close(child *self);
/* The number of bytes that were sent. */
int64_t child_input_send(const child *self, const char *data, size_t size);

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

/* ---- child_memory.c ---- */

bool child_memory_known(void); /* true if this system shows the memory of processes */
double child_memory_of(pid_t group);

#endif
