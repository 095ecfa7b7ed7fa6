/* child.h - a child process as the files of host/sys see it: child.c owns the table of them and the public calls,
 * child_spawn.c starts one, child_watch.c follows it to its end, child_stream.c takes in what it writes,
 * child_input.c sends it what it reads and child_memory.c adds up what its group holds. Nothing else includes it.
 */
#ifndef CLUE_CHILD_H
#define CLUE_CHILD_H

#include "clue.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* ---- child_stream.c ---- */

typedef struct child_buffer {
    char *data; /* a NUL follows the last byte once there is memory */
    size_t size, capacity;
} child_buffer;

/* Two buffers: what was given out by a take stays where it is while more comes in. */
typedef struct child_stream {
    int descriptor; /* the pipe's reading end, non-blocking; -1 once closed */
    child_buffer pending, taken;
} child_stream;

/* Reads once. The bytes that came, 0 if there were none (the stream is closed at its end), -1: no memory for them.
 */
ssize_t child_stream_read(child_stream *self);
/* Reads what stands in the pipe at this moment and closes it, whoever else still holds it. False: no memory. */
bool child_stream_drain(child_stream *self);
size_t child_stream_take(const char **data_out, child_stream *self);
void child_stream_close(child_stream *self);
void child_stream_free(child_stream *self);

/* ---- the child ---- */

enum { CHILD_STREAMS = 3 };

/* Why a child's outcome cannot be told. */
enum { CHILD_TOLD = 0, CHILD_NO_MEMORY = 1, CHILD_LOST = 2 };

typedef struct child {
    bool used;        /* the number is given out */
    atomic_int group; /* the process and its group while they may be killed; 0 before and after (signal handlers) */
    int32_t state;    /* CLUE_CHILD_* */
    int32_t value;
    int32_t limit;   /* CLUE_CHILD_TIMEOUT or _MEMORY once it was killed for that, else 0 */
    int32_t failure; /* CHILD_* */
    bool news;       /* output came since the last wait for this child returned */
    /* Times of the monotonic clock; INFINITY: never. */
    double deadline, memory_check, term_sent, kill_sent;
    double memory; /* bytes; INFINITY: no limit */
    child_stream streams[CHILD_STREAMS];
    int input; /* our end of the child's standard input, -1: none */
} child;

/* ---- child_spawn.c ---- */

/* Starts the process, which the caller has checked the options of. 0, or the code of the recorded failure. */
int32_t child_spawn(child *self, const clue_child_options *options);
/* A child in the foreground, one at a time, has Ctrl-C to itself until its end. */
void child_foreground_begin(const child *self);
void child_foreground_end(const child *self);
bool child_foreground_taken(void);

/* ---- child_input.c ---- */

/* Two ends, ours and the child's; false: errno tells. */
bool child_input_open(int ends_out[2]);
void child_input_close(child *self);
/* The bytes that went; 0 where none did. */
int64_t child_input_send(const child *self, const char *data, size_t size);

/* ---- child_watch.c ---- */

/* Everything there is to do for a child at this moment, without waiting: read, notice the end, keep the limits.
 * greedy: read however much has already piled up. */
void child_serve(child *self, double now, bool greedy);
/* Whether the stream is to be read now; else it waits until somebody takes what has piled up. */
bool child_stream_wanted(const child_stream *self, bool greedy);
/* Both forget nothing: the end is noticed by child_serve. */
void child_kill(child *self, double now);
/* Collects a killed process whose outcome nobody asks for; true once there is none. */
bool child_reap(child *self);

/* ---- child_memory.c ---- */

bool child_memory_known(void); /* whether this system tells what a process holds */
double child_memory_of(pid_t group);

#endif
