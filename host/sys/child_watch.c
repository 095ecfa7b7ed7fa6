/* child_watch.c - follows a child to its end: reads its output, notices its end, keeps its limits.
 *
 * The order at the end matters. First the group is killed, while the ended process is still a zombie, so that no
 * other process can get its number. Then the process is collected. Then the pipes are emptied, without waiting for
 * their end: a process that has left the group may hold them open for ever. */
#include "child.h"

#include <math.h>

/* In seconds: between two looks at the memory, at least and at most; from SIGTERM to SIGKILL; and from SIGKILL
 * until a process that does not end (because a driver call does not return) is given up. */
#define MEMORY_INTERVAL 0.02
#define MEMORY_LONGEST_INTERVAL 0.2
#define TERM_GRACE 0.3
#define KILL_GRACE 5.0

/* A child for which nobody waits is read up to this many bytes; then it blocks, as on any full pipe. */
enum { PILE = 16 * 1024 * 1024 };

void child_kill(child *self, double now) {
    group_kill(atomic_load(&self->group));
    self->kill_sent = fmin(self->kill_sent, now);
}

/* ---- output ---- */

bool child_stream_wanted(const child_stream *self, bool greedy) {
    return self->pipe >= 0 && (greedy || self->pending.size < PILE);
}

/* Kills a child whose output cannot be kept: a part of an answer could be taken for the whole. */
static void out_of_memory(child *self, child_stream *stream, double now) {
    self->failure = CHILD_NO_MEMORY;
    child_stream_close(stream);
    child_kill(self, now);
}

static void read_streams(child *self, double now, bool greedy) {
    for (int i = 0; i < SPAWN_STREAMS; i++) {
        child_stream *stream = &self->streams[i];
        int64_t count;
        if (!child_stream_wanted(stream, greedy)) continue;
        count = child_stream_read(stream);
        if (count > 0) self->news = true;
        if (count < 0) out_of_memory(self, stream, now);
    }
}

/* ---- the end ---- */

static void settle(child *self, int32_t state, int32_t value) {
    if (self->foreground) spawn_foreground_end();
    self->foreground = false;
    for (int i = 0; i < SPAWN_STREAMS; i++)
        if (!child_stream_drain(&self->streams[i])) self->failure = CHILD_NO_MEMORY;
    self->state = self->limit != 0 ? self->limit : state;
    self->value = self->limit != 0 ? 0 : value;
}

/* Another part of the program has collected the process: the host ignores SIGCHLD, or a library waits for every
 * child. */
static void lose(child *self) {
    atomic_store(&self->group, 0);
    if (self->failure == CHILD_KNOWN && self->limit == 0) self->failure = CHILD_LOST;
    settle(self, CLUE_CHILD_SIGNALLED, 0);
}

/* Nobody kills it any more once its number may be another process's. */
static void collect(child *self, int process) {
    group_kill(process);
    atomic_store(&self->group, 0);
    group_collect(process);
}

static bool notice_end(child *self) {
    const int process = atomic_load(&self->group);
    int32_t value = 0;
    const enum group_end end = group_look(&value, process);
    if (end == GROUP_RUNS) return false;
    if (end == GROUP_LOST) {
        lose(self);
        return true;
    }
    collect(self, process);
    settle(self, end == GROUP_EXITED ? CLUE_CHILD_EXITED : CLUE_CHILD_SIGNALLED, value);
    return true;
}

bool child_reap(child *self) {
    const int process = atomic_load(&self->group);
    int32_t value;
    const enum group_end end = process == 0 ? GROUP_LOST : group_look(&value, process);
    if (end == GROUP_RUNS) return false;
    if (end == GROUP_LOST)
        atomic_store(&self->group, 0);
    else
        collect(self, process);
    return true;
}

/* ---- limits ---- */

/* If a look takes long (hundreds of processes), there are fewer: at most a fiftieth of a core's time goes into
 * them, because the core may be needed for what is being timed. */
static bool over_memory(child *self, double now) {
    double start, end;
    bool over;
    if (now < self->memory_check) return false;
    start = clue_clock_now();
    over = group_memory(atomic_load(&self->group)) > self->memory;
    end = clue_clock_now();
    self->memory_check = end + fmin(fmax(MEMORY_INTERVAL, 50 * (end - start)), MEMORY_LONGEST_INTERVAL);
    return over;
}

static void keep_limits(child *self, double now) {
    if (self->limit == 0 && now >= self->deadline) {
        self->limit = CLUE_CHILD_TIMEOUT;
        self->term_sent = now;
        group_stop(atomic_load(&self->group));
    } else if (self->limit == 0 && over_memory(self, now)) {
        self->limit = CLUE_CHILD_MEMORY;
        child_kill(self, now);
    }
    if (now >= self->term_sent + TERM_GRACE) child_kill(self, now);
}

/* A killed process that does not end is left alone; its number is collected when it ends. */
static bool give_up(child *self, double now) {
    if (now < self->kill_sent + KILL_GRACE) return false;
    settle(self, CLUE_CHILD_SIGNALLED, GROUP_KILLED);
    return true;
}

void child_serve(child *self, double now, bool greedy) {
    if (!self->used || self->state != CLUE_CHILD_RUNNING) {
        child_reap(self);
        return;
    }
    read_streams(self, now, greedy);
    if (!notice_end(self) && !give_up(self, now)) keep_limits(self, now);
}
