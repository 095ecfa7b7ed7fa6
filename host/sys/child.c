/* child.c - child processes by number: the table of them and the calls of clue.h.
 *
 * All work happens inside these calls, without threads or signal handlers. While the caller waits for one child,
 * the others are read too, and kept to their limits. After a fork without exec (which nothing here does), two
 * processes would have the same children: only the one that started them kills them. */
#include "child.h"
#include "../core/base/base.h"

#include <errno.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { BLOCK_SLOTS = 16, POLLED = 64 };
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
static atomic_int owner; /* the process that started the children */

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
    long limit = sysconf(_SC_OPEN_MAX);
    if (descriptor == 0 || (descriptor > STDERR_FILENO && (limit < 0 || descriptor < limit))) return 0;
    return error_record(
        CL_INVALID_VALUE, CLUE_CAUSE_PARAMETER, "clue_child_start",
        "result_descriptor: %d is neither 0 (none) nor from 3 to below the limit of open files (%ld)", descriptor,
        limit);
}

static int32_t options_check(const clue_child_options *options) {
    int32_t code;
    if (options == NULL || options->arguments == NULL || options->arguments[0] == NULL ||
        options->arguments[0][0] == '\0')
        return refuse("arguments: the first must be the program's path");
    if (!(options->seconds >= 0)) return refuse("seconds: must be 0 (no limit) or more");
    if (!(options->memory >= 0)) return refuse("memory: must be 0 (no limit) or more");
    if (options->memory > 0 && !child_memory_known())
        return refuse("memory: a limit needs /proc, which this system does not have mounted");
    if (options->foreground && (options->input || options->memory > 0))
        return refuse("foreground: such a child has the host's own input and process group, so input and memory "
                      "cannot be set");
    if (options->foreground && child_foreground_taken())
        return refuse("foreground: another child is in the foreground; wait for its end");
    code = environment_check(options->environment);
    return code != 0 ? code : result_check(options->result_descriptor);
}

/* When the host ends by itself, its children end too. */
static void own_children(void) {
    static bool registered;
    if (!registered) registered = atexit(clue_child_kill_all) == 0;
    atomic_store(&owner, getpid());
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
    if (child_spawn(self, options) != 0) return -1;
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

static nfds_t add_streams(struct pollfd *polled, nfds_t count, const child *self, bool greedy) {
    for (int i = 0; i < CHILD_STREAMS && count < POLLED; i++)
        if (self->used && child_stream_wanted(&self->streams[i], greedy))
            polled[count++] = (struct pollfd){.fd = self->streams[i].descriptor, .events = POLLIN};
    return count;
}

/* Waits until a child writes or ends, or the time is over; streams beyond the table's size are read then. False: a
 * signal came. ready_out: true if there is something to read. */
static bool pause_for(const child *waited, double seconds, bool *ready_out) {
    struct pollfd polled[POLLED];
    nfds_t count = add_streams(polled, 0, waited, true);
    const child *each;
    int ready;
    for (int32_t number = 0; (each = slot_at(number)) != NULL; number++)
        if (each != waited) count = add_streams(polled, count, each, false);
    ready = poll(polled, count, (int)ceil(seconds * 1000));
    *ready_out = ready > 0;
    if (ready < 0 && errno != EINTR) clue_clock_sleep(seconds);
    return ready >= 0 || errno != EINTR;
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

int64_t clue_child_send(int32_t number, const char *data, int64_t size) {
    child *self = child_find(number, "clue_child_send");
    if (self == NULL) return CL_INVALID_VALUE;
    if (self->input < 0)
        return error_record(
            CL_INVALID_OPERATION, CLUE_CAUSE_PARAMETER, "clue_child_send",
            "the child's standard input is not open: it was started without one, or the input has ended");
    if (data != NULL) return size > 0 ? child_input_send(self, data, (size_t)size) : 0;
    child_input_close(self);
    return 0;
}

void clue_child_limit(int32_t number, double seconds) {
    child *self = child_find(number, "clue_child_limit");
    forgive_suspension(); /* later, that would lengthen this limit, too */
    if (self != NULL) self->deadline = seconds > 0 ? clue_clock_now() + seconds : INFINITY;
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
    for (int i = 0; i < CHILD_STREAMS; i++)
        child_stream_free(&self->streams[i]);
    child_input_close(self);
    child_foreground_end(self);
    self->used = false;
}

void clue_child_kill_all(void) {
    int error = errno;
    const child *each;
    for (int32_t number = 0; getpid() == atomic_load(&owner) && (each = slot_at(number)) != NULL; number++) {
        pid_t group = atomic_load(&each->group);
        if (group <= 0) continue;
        kill(-group, SIGKILL);
        kill(group, SIGKILL); /* it may have left its process group */
    }
    errno = error;
}
