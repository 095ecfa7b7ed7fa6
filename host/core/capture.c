/* capture.c - which call of a kernel is kept.
 *
 * clue_capture() or CLUE_CAPTURE=KERNEL:N (with CLUE_CAPTURE_FOLDER) say so. What the kernel's arguments are, the
 * core knows (core.h); what it asks of OpenCL for a capture stands in no trace. */
#define CLUE_UNTRACED
#include "capture.h"
#include "trace_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { NAME = 256 };

bool capture_on;

static struct {
    char *kernel, *folder;
    int64_t wanted, executions; /* which one it is, and how many there were */
} capture;

static void disarm(void) {
    free(capture.kernel);
    free(capture.folder);
    capture.kernel = capture.folder = NULL;
    capture_on = false;
}

/* So that what lies there is of this capture, and whole, or nothing. */
static void remove_old(const char *folder) {
    char path[4096];
    (void)snprintf(path, sizeof path, "%s/call.lua", folder);
    (void)remove(path);
}

/* ---- the call ---- */

/* What the call waits for must have ended before its memory is read; a user event may not end before we return. */
static bool wait_for(const struct capture_call *call) {
    const wait_list *waits = &call->queue->waits;
    if (execution_gate(call->made)) return capture_fail("it waits for a user event that is not complete yet");
    if (waits->count && clWaitForEvents(waits->count, waits->events) != CL_SUCCESS)
        return capture_fail("what it waits for failed");
    queue_await(call->queue);
    waiting_for(call->kernel->what); /* as before */
    return true;
}

static bool write_before(const struct capture_call *call) {
    return wait_for(call) && capture_write_memory(capture.folder, call, "before") &&
           capture_write_call(capture.folder, call, (long long)capture.wanted);
}

bool capture_before(const struct capture_call *call) {
    int64_t began;
    bool written;
    if (strcmp(call->kernel->name, capture.kernel) != 0 || ++capture.executions != capture.wanted) return false;
    began = trace_now();
    written = write_before(call);
    trace_own(began);
    if (written) return true;
    remove_old(capture.folder);
    disarm();
    return false;
}

void capture_after(const struct capture_call *call, cl_int code) {
    const int64_t began = trace_now();
    if (code == CL_SUCCESS) (void)clFlush(call->queue->queue);
    if (code == CL_SUCCESS) code = clWaitForEvents(1, &call->made->event);
    if (code == CL_SUCCESS)
        (void)capture_write_memory(capture.folder, call, "after");
    else
        (void)capture_fail("it failed itself: %s", clue_error_name(code) ? clue_error_name(code) : "unknown error");
    trace_own(began);
    disarm();
}

/* ---- asking for it ---- */

static int32_t check(const char *name, int64_t call, const char *folder) {
    static const char set[] = "clue_capture";
    if (!name || !*name)
        return error_record(CL_INVALID_KERNEL_NAME, CLUE_CAUSE_PARAMETER, set, "the kernel's name is empty");
    if (call < 1)
        return error_record(CL_INVALID_VALUE, CLUE_CAUSE_PARAMETER, set, "call %lld: calls are counted from 1 on",
                            (long long)call);
    if (!folder || !*folder)
        return error_record(CL_INVALID_VALUE, CLUE_CAUSE_PARAMETER, set, "the folder's name is empty");
    if (mkdir(folder, 0777) != 0 && errno != EEXIST)
        return error_record(CL_INVALID_VALUE, CLUE_CAUSE_PARAMETER, set, "the folder '%s' cannot be made: %s",
                            folder, strerror(errno));
    return 0;
}

int32_t clue_capture(const char *name, int64_t call, const char *folder) {
    int32_t code = check(name, call, folder);
    if (code) return code;
    disarm();
    remove_old(folder);
    capture.kernel = text_copy(name);
    capture.folder = text_copy(folder);
    capture.wanted = call;
    capture.executions = 0;
    if (!capture.kernel || !capture.folder) {
        disarm();
        return error_out_of_memory("clue_capture");
    }
    capture_on = true;
    return 0;
}

/* CLUE_CAPTURE=KERNEL:N, as `clue trace --capture` sets it. Children of the process are to capture nothing. */
__attribute__((constructor)) static void look_at_environment(void) {
    const char *wanted = getenv("CLUE_CAPTURE"), *folder = getenv("CLUE_CAPTURE_FOLDER");
    const char *colon = wanted ? strrchr(wanted, ':') : NULL;
    char name[NAME];
    if (!colon || !folder) return;
    (void)snprintf(name, sizeof name, "%.*s", (int)(colon - wanted), wanted);
    if (clue_capture(name, strtoll(colon + 1, NULL, 10), folder)) (void)capture_fail("%s", clue_error_text());
    (void)unsetenv("CLUE_CAPTURE");
}
