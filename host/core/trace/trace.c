/* trace.c - records every OpenCL call of the core, and every command of its queues, in one file for each process.
 *
 * CLUE_TRACE=FOLDER starts it: each process that calls OpenCL writes FOLDER/PID.trace, and `clue trace` reads them
 * all. A record is a line of fields between tabs; moments are in nanoseconds of the monotonic clock:
 *   process  pid, command line
 *   call     function, begin, end, code            what the host did ("failed": a function that gives no code)
 *   device   number, ordinal (-1: a part), name, clock: device or host
 *   timer    device's number, device's nanoseconds, begin and end of the question (clGetDeviceAndHostTimer)
 *   queue    number, device's number, in or out of order
 *   command  id, moment, queue's number, function, bytes (-1: none), kernel, range     before the driver has it
 *   sent     id, begin, end, code                                               once the call is back
 *   times    id, status, when the host saw the end, queued, submitted, started, ended
 *                            (device's nanoseconds, counted from a moment of the trace's choice; "-": no timer)
 *   own      begin, end                            time that recording itself took
 *
 * A command is on the disk before the driver sees it, because the driver may crash. Its times follow when it has
 * ended; until then the trace holds its event. clue_trace_start() records a part of a run in the same way, in a
 * file that the caller chooses. */
#define CLUE_UNTRACED
#include "../../sys/system.h"
#include "trace/internal.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
    PATH = 4096,
    SWEEP_EVERY = 64
}; /* after so many commands, look for those that have ended, if no call waits */

bool trace_on;

/* A command that is not known to have ended. */
struct pending {
    int64_t id;
    int32_t queue;
    cl_event event;
};

static struct {
    FILE *file;
    char path[PATH];
    const char *call; /* the call that is running */
    int64_t called;
    int64_t commands;
    struct pending *pending;
    size_t count, room;
} trace;

/* ---- the file ---- */

void trace_own(int64_t began) {
    if (trace.file) (void)fprintf(trace.file, "own\t%" PRId64 "\t%" PRId64 "\n", began, trace_now());
}

/* Writes the command line as the system keeps it: words that end with zeros; none if it keeps none. */
static void write_process(void) {
    char part[256];
    size_t size, from = 0;
    (void)fprintf(trace.file, "process\t%lld\t", (long long)process_id());
    for (; (size = process_arguments(part, sizeof part, from)) > 0; from += size)
        for (size_t i = 0; i < size; i++)
            (void)fputc((unsigned char)part[i] < ' ' ? ' ' : part[i], trace.file);
    (void)fputc('\n', trace.file);
}

static bool open_file(const char *path, const char *mode) {
    trace.file = file_open(path, mode);
    if (!trace.file) return false;
    (void)snprintf(trace.path, sizeof trace.path, "%s", path);
    (void)setvbuf(trace.file, NULL, _IOFBF, (size_t)1 << 16);
    write_process();
    return true;
}

/* Called at the first OpenCL call, so that a process without any leaves no file. */
static bool open_in_folder(void) {
    const char *folder = getenv("CLUE_TRACE");
    char path[PATH];
    if (trace.file) return true;
    if (!trace_on) return false;
    (void)snprintf(path, sizeof path, "%s/%lld.trace", folder ? folder : ".", (long long)process_id());
    (void)remove(path); /* the name is easy to guess: others may have put a link there */
    if (open_file(path, "wx")) return true;
    /* without the path: no byte of it may control a terminal */
    (void)fprintf(stderr, "clue: CLUE_TRACE: nothing is recorded, for no file can be written there: %s\n",
                  strerror(errno));
    trace_on = false;
    return false;
}

/* Runs before main(), in every program that uses the library, so that nobody has to call it. */
__attribute__((constructor)) static void look_at_environment(void) {
    const char *folder = getenv("CLUE_TRACE");
    trace_on = folder && *folder;
}

/* ---- the ends of commands ---- */

/* True if the command has ended. */
static bool resolve(const struct pending *command) {
    cl_int status = CL_QUEUED;
    const cl_int code =
        clGetEventInfo(command->event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL);
    if (code) status = code;
    if (status > CL_COMPLETE) return false;
    trace_write_times(trace.file, command->id, command->queue, command->event, status);
    (void)clReleaseEvent(command->event);
    return true;
}

/* all: also look at the commands behind one that has not ended. */
static void sweep(bool all) {
    const int64_t began = trace_now();
    size_t kept = 0, i = 0;
    if (trace.count == 0) return;
    for (; i < trace.count && (all || kept == 0); i++)
        if (!resolve(&trace.pending[i])) trace.pending[kept++] = trace.pending[i];
    memmove(trace.pending + kept, trace.pending + i, (trace.count - i) * sizeof *trace.pending);
    trace.count -= i - kept;
    trace_own(began);
}

/* If there is no memory, the command's times are not recorded. */
static void add_pending(int64_t id, int32_t queue, cl_event event) {
    if (trace.count == trace.room) {
        const size_t room = trace.room ? trace.room * 2 : 256;
        struct pending *more = realloc(trace.pending, room * sizeof *more);
        if (!more) {
            (void)clReleaseEvent(event);
            return;
        }
        trace.pending = more;
        trace.room = room;
    }
    trace.pending[trace.count++] = (struct pending){.id = id, .queue = queue, .event = event};
}

/* Some drivers (Mesa's rusticl) report the end of a command late, so this waits a moment. */
void trace_settle(void) {
    const double until = clue_clock_now() + 0.1, pause = 0.002;
    if (!trace_on || !trace.file) return;
    sweep(true);
    for (int left = (int)(0.1 / pause); trace.count > 0 && left > 0 && clue_clock_now() < until; left--) {
        clue_clock_sleep(pause);
        sweep(true);
    }
    trace_write_timers(trace.file);
    (void)fflush(trace.file);
}

/* ---- calls ---- */

void trace_begin(const char *call, bool waits) {
    if (!open_in_folder()) return;
    if (waits) (void)fflush(trace.file);
    trace.call = call;
    trace.called = trace_now();
}

void trace_end(cl_int code, bool waited) {
    char status[16] = "failed";
    if (!trace.file) return;
    if (code <= 0) (void)snprintf(status, sizeof status, "%d", (int)code);
    (void)fprintf(trace.file, "call\t%s\t%" PRId64 "\t%" PRId64 "\t%s\n", trace.call, trace.called, trace_now(),
                  status);
    if (waited) sweep(true);
}

cl_event *trace_command_begin(trace_command *self, cl_command_queue on, const char *call, cl_event *event_out,
                              const char *detail, const char *range, int64_t bytes) {
    *self = (trace_command){.queue = -1, .call = call, .at = event_out ? event_out : &self->own};
    if (!open_in_folder()) return event_out;
    self->queue = trace_queue_number(trace.file, on);
    self->id = ++trace.commands;
    (void)fprintf(trace.file, "command\t%" PRId64 "\t%" PRId64 "\t%d\t%s\t%" PRId64 "\t%s\t%s\n", self->id,
                  trace_now(), (int)self->queue, call, bytes, detail ? detail : "", range ? range : "");
    (void)fflush(trace.file); /* because the driver may crash */
    trace.call = call;
    trace.called = trace_now();
    return self->at;
}

void trace_command_end(trace_command *self, cl_int code) {
    const int64_t ended = trace_now();
    if (self->id == 0) return;
    (void)fprintf(trace.file, "sent\t%" PRId64 "\t%" PRId64 "\t%" PRId64 "\t%d\n", self->id, trace.called, ended,
                  (int)code);
    if (code == CL_SUCCESS && *self->at) {
        if (self->at != &self->own) (void)clRetainEvent(*self->at);
        add_pending(self->id, self->queue, *self->at);
    }
    if (self->blocking || self->id % SWEEP_EVERY == 0) sweep(self->blocking);
}

/* ---- a part of a run: trace_part.c ---- */

const char *trace_open(bool *made_out, const char *path) {
    *made_out = !open_in_folder();
    if (*made_out && !open_file(path, "w")) return NULL;
    trace_on = true;
    return trace.path;
}

bool trace_is_on(void) {
    return trace_on;
}

bool trace_well(void) {
    return ferror(trace.file) == 0;
}

void trace_close(void) {
    for (size_t i = 0; i < trace.count; i++)
        (void)clReleaseEvent(trace.pending[i].event);
    trace.count = 0;
    trace_forget_all();
    (void)fclose(trace.file);
    trace.file = NULL;
    trace_on = false;
}
