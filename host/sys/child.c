/* child.c - child processes by number: the table of them and the calls of clue.h.
 *
 * All work happens inside these calls, without threads or signal handlers. While the caller waits for one child,
 * the others are read too, and kept to their limits. After a fork without exec (which nothing here does), two
 * processes would have the same children: only the one that started them kills them. */
#include "child.h"
#include "../core/base/base.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK_SLOTS = 16 };
/* In seconds: the longest and the shortest time between looks at a child, whose end may go unnoticed while another
 * process holds its pipes open; how long a close waits for a killed process. */
#define LONGEST_PAUSE 0.01
#define SHORTEST_PAUSE 0.001
#define CLOSE_GRACE 1.0

/* ---- the table ---- */

/* Slots never move and are never freed, and a block is linked only when it is complete: clue_child_kill_all() may
 * read the table at any moment. */
typedef struct block {
    child slots[BLOCK_SLOTS];
    struct block *_Atomic next;
} block;

static block first_block;
static _Atomic int64_t owner; /* the process that started the children */

static child *slot_at(int32_t number) {
    block *at = &first_block;
    for (; at != NULL && number >= BLOCK_SLOTS; number -= BLOCK_SLOTS)
        at = atomic_load(&at->next);
    return at != NULL && number >= 0 ? &at->slots[number] : NULL;
}

static bool table_grow(void) {
    block *fresh = calloc(1, sizeof *fresh);
    block *last = &first_block;
    if (fresh == NULL) return false;
    while (atomic_load(&last->next) != NULL)
        last = atomic_load(&last->next);
    atomic_store(&last->next, fresh);
    return true;
}

/* The lowest free number. A closed child keeps its slot until its process has ended. */
static child *slot_free(int32_t *number_out) {
    for (int32_t number = 0;; number++) {
        child *slot = slot_at(number);
        if (slot == NULL && !table_grow()) return NULL;
        if (slot == NULL) slot = slot_at(number);
        if (!slot->used && child_reap(slot)) {
            *number_out = number;
            return slot;
        }
    }
}

static child *child_find(int32_t number, const char *call) {
    child *found = slot_at(number);
    if (found != NULL && found->used) return found;
    error_record(CL_INVALID_VALUE, CLUE_CAUSE_HANDLE, call,
                 "%d is not a child process: it was never started, or was closed", number);
    return NULL;
}

static bool has_foreground(void) {
    const child *each;
    for (int32_t number = 0; (each = slot_at(number)) != NULL; number++)
        if (each->foreground) return true;
    return false;
}

/* ---- suspensions ---- */

/* While this process was suspended, it kept no limits, and a child may have done in time what it was to do. */
static void forgive_suspension(void) {
    static double last;
    static int32_t known;
    const int32_t count = clue_suspension_count();
    const double now = clue_clock_now();
    child *each;
    for (int32_t number = 0; count != known && (each = slot_at(number)) != NULL; number++)
        each->deadline += now - last;
    known = count;
    last = now;
}

/* ---- start ---- */

static int32_t refuse(const char *what) {
    return error_record(CL_INVALID_VALUE, CLUE_CAUSE_PARAMETER, "clue_child_start", "%s", what);
}

static int32_t environment_check(const char *const *additions) {
    for (; additions != NULL && *additions != NULL; additions++) {
        if (strchr(*additions, '=') == NULL || **additions == '=')
            return error_record(CL_INVALID_VALUE, CLUE_CAUSE_PARAMETER, "clue_child_start",
                                "environment: '%s' is not of the form NAME=VALUE", *additions);
    }
    return 0;
}

static int32_t result_check(int32_t descriptor) {
    const int64_t limit = process_most_descriptors();
    if (descriptor == 0 || (descriptor > STANDARD_ERROR && (limit < 0 || descriptor < limit))) return 0;
    return error_record(
        CL_INVALID_VALUE, CLUE_CAUSE_PARAMETER, "clue_child_start",
        "result_descriptor: %d is neither 0 (none) nor from 3 to below the limit of open files (%lld)", descriptor,
        (long long)limit);
}

static int32_t options_check(const clue_child_options *options) {
    int32_t code;
    if (options == NULL || options->arguments == NULL || options->arguments[0] == NULL ||
        options->arguments[0][0] == '\0')
        return refuse("arguments: the first must be the program's path");
    if (!(options->seconds >= 0)) return refuse("seconds: must be 0 (no limit) or more");
    if (!(options->memory >= 0)) return refuse("memory: must be 0 (no limit) or more");
    if (options->memory > 0 && !group_memory_is_known())
        return refuse("memory: a limit needs /proc, which this system does not have mounted");
    if (options->foreground && (options->input || options->memory > 0))
        return refuse("foreground: such a child has the host's own input and process group, so input and memory "
                      "cannot be set");
    if (options->foreground && has_foreground())
        return refuse("foreground: another child is in the foreground; wait for its end");
    code = environment_check(options->environment);
    return code != 0 ? code : result_check(options->result_descriptor);
}

/* When the host ends by itself, its children end too. */
static void own_children(void) {
    static bool registered;
    if (!registered) registered = atexit(clue_child_kill_all) == 0;
    atomic_store(&owner, process_id());
}

static int32_t start_failed(int error, const char *call, const char *path) {
    const char *hint = "";
    int32_t code = CL_INVALID_VALUE, cause = CLUE_CAUSE_PARAMETER;
    if (error == ENOMEM) {
        code = CL_OUT_OF_HOST_MEMORY;
        cause = CLUE_CAUSE_MEMORY;
    } else if (error == EMFILE || error == ENFILE || error == EAGAIN) {
        code = CL_OUT_OF_RESOURCES;
        cause = CLUE_CAUSE_LIMIT;
        hint = "; raise the limit (ulimit -n for files, ulimit -u for processes) or run fewer at once";
    } else if (error == ENOENT && strchr(path, '/') == NULL) {
        hint = "; PATH is not searched: give the program's path";
    }
    return error_record(code, cause, call, "cannot start '%s': %s%s", path, strerror(error), hint);
}

static void note_process(void *data, int process) {
    child *self = data;
    atomic_store(&self->group, process);
}

static int32_t start(child *self, const clue_child_options *options) {
    const char *call;
    spawned ends;
    const int error = spawn(&ends, &call, options, note_process, self);
    self->input = ends.input;
    for (int i = 0; i < SPAWN_STREAMS; i++)
        self->streams[i].pipe = ends.streams[i];
    self->foreground = error == 0 && options->foreground;
    return error == 0 ? 0 : start_failed(error, call, options->arguments[0]);
}

static void child_prepare(child *self, const clue_child_options *options) {
    self->used = true;
    self->state = CLUE_CHILD_RUNNING;
    self->value = self->limit = 0;
    self->failure = CHILD_KNOWN;
    self->news = false;
    self->deadline = options->seconds > 0 ? clue_clock_now() + options->seconds : INFINITY;
    self->memory = options->memory > 0 ? options->memory : INFINITY;
    self->memory_check = options->memory > 0 ? 0 : INFINITY;
    self->term_sent = self->kill_sent = INFINITY;
}

int32_t clue_child_start(const clue_child_options *options) {
    int32_t number;
    child *self;
    if (options_check(options) != 0) return -1;
    forgive_suspension();
    self = slot_free(&number);
    if (self == NULL) {
        error_out_of_memory("clue_child_start");
        return -1;
    }
    own_children();
    if (start(self, options) != 0) return -1;
    child_prepare(self, options);
    return number;
}

/* ---- wait ---- */

static void serve_all(const child *waited) {
    child *each;
    forgive_suspension();
    for (int32_t number = 0; (each = slot_at(number)) != NULL; number++)
        child_serve(each, clue_clock_now(), each == waited);
}

static int add_streams(int *pipes, int count, const child *self, bool greedy) {
    for (int i = 0; i < SPAWN_STREAMS && count < PIPES_AWAITED; i++)
        if (self->used && child_stream_wanted(&self->streams[i], greedy)) pipes[count++] = self->streams[i].pipe;
    return count;
}

/* Waits until a child writes or ends, or the time is over; streams beyond the table's size are read then. False: a
 * signal came. ready_out: true if there is something to read. */
static bool pause_for(const child *waited, double seconds, bool *ready_out) {
    int pipes[PIPES_AWAITED], count = add_streams(pipes, 0, waited, true);
    const child *each;
    for (int32_t number = 0; (each = slot_at(number)) != NULL; number++)
        if (each != waited) count = add_streams(pipes, count, each, false);
    return pipes_await(ready_out, pipes, count, seconds);
}

/* Records why the outcome of a child is not known, if that is so. */
static int32_t outcome(const child *self) {
    if (self->state == CLUE_CHILD_RUNNING || self->failure == CHILD_KNOWN) return self->state;
    if (self->failure == CHILD_NO_MEMORY) {
        return error_record(CL_OUT_OF_HOST_MEMORY, CLUE_CAUSE_MEMORY, "clue_child_wait",
                            "there is no memory left for the child's output, so it was killed");
    }
    return error_record(CL_INVALID_OPERATION, CLUE_CAUSE_PARAMETER, "waitid",
                        "the child ended, but nobody knows how: another part of this process collects children, or "
                        "SIGCHLD is ignored");
}

/* Most children's end shows by the end of their output, but not every child's. So pauses are short after something
 * happened and near the end, and longer when all is quiet: a waiting host must not disturb what it measures. */
int32_t clue_child_wait(int32_t number, double seconds) {
    child *self = child_find(number, "clue_child_wait");
    double until = clue_clock_now() + (seconds > 0 ? seconds : 0), pause = SHORTEST_PAUSE;
    if (self == NULL) return CL_INVALID_VALUE;
    for (bool undisturbed = true;;) {
        double left;
        bool ready;
        serve_all(self);
        left = until - clue_clock_now();
        if (self->state != CLUE_CHILD_RUNNING || self->news || left <= 0 || !undisturbed) break;
        undisturbed = pause_for(self, fmin(pause, left), &ready);
        pause = ready ? SHORTEST_PAUSE : fmin(2 * pause, LONGEST_PAUSE);
    }
    self->news = false;
    return outcome(self);
}

/* ---- the rest ---- */

int32_t clue_child_value(int32_t number) {
    const child *self = child_find(number, "clue_child_value");
    return self == NULL ? CL_INVALID_VALUE : self->value;
}

int64_t clue_child_take(const char **data_out, int32_t number, int32_t stream) {
    child *self = child_find(number, "clue_child_take");
    if (self == NULL) return CL_INVALID_VALUE;
    if (stream < CLUE_STREAM_OUT || stream > CLUE_STREAM_RESULT)
        return error_record(CL_INVALID_VALUE, CLUE_CAUSE_PARAMETER, "clue_child_take",
                            "stream: %d is not 1 (out), 2 (err) or 3 (result)", stream);
    return (int64_t)child_stream_take(data_out, &self->streams[stream - 1]);
}

static void close_input(child *self) {
    if (self->input >= 0) pipe_close(self->input);
    self->input = -1;
}

int64_t clue_child_send(int32_t number, const char *data, int64_t size) {
    child *self = child_find(number, "clue_child_send");
    if (self == NULL) return CL_INVALID_VALUE;
    if (self->input < 0)
        return error_record(
            CL_INVALID_OPERATION, CLUE_CAUSE_PARAMETER, "clue_child_send",
            "the child's standard input is not open: it was started without one, or the input has ended");
    if (data != NULL) return size > 0 ? pipe_send(self->input, data, (size_t)size) : 0;
    close_input(self);
    return 0;
}

void clue_child_limit(int32_t number, double seconds) {
    child *self = child_find(number, "clue_child_limit");
    forgive_suspension(); /* later, that would lengthen this limit, too */
    if (self != NULL) self->deadline = seconds > 0 ? clue_clock_now() + seconds : INFINITY;
}

double clue_child_time(int32_t number) {
    const child *self = child_find(number, "clue_child_time");
    const int process = self != NULL ? atomic_load(&self->group) : 0;
    return process != 0 ? group_time(process) : -1;
}

void clue_child_kill(int32_t number) {
    child *self = child_find(number, "clue_child_kill");
    if (self != NULL && self->state == CLUE_CHILD_RUNNING) child_kill(self, clue_clock_now());
}

void clue_child_close(int32_t number) {
    child *self = child_find(number, "clue_child_close");
    double now = clue_clock_now(), until = now + CLOSE_GRACE;
    if (self == NULL) return;
    if (self->state == CLUE_CHILD_RUNNING) child_kill(self, now);
    while (!child_reap(self) && clue_clock_now() < until)
        clue_clock_sleep(SHORTEST_PAUSE);
    for (int i = 0; i < SPAWN_STREAMS; i++)
        child_stream_free(&self->streams[i]);
    close_input(self);
    if (self->foreground) spawn_foreground_end();
    self->foreground = self->used = false;
}

void clue_child_kill_all(void) {
    int error = errno;
    const child *each;
    for (int32_t number = 0; process_id() == atomic_load(&owner) && (each = slot_at(number)) != NULL; number++)
        group_kill(atomic_load(&each->group));
    errno = error;
}
