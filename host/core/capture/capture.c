/* capture.c - chooses the call of a kernel to capture.
 *
 * clue_capture() asks for it, or CLUE_CAPTURE=KERNEL:N (with CLUE_CAPTURE_FOLDER and _SCRIPT). The OpenCL calls
 * that a capture needs do not appear in a trace. */
#define CLUE_UNTRACED
#include "capture/capture.h"
#include "../../sys/system.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { NAME = 256 };

static struct {
    char *kernel, *folder, *script; /* script: the caller's, which is copied; NULL: none */
    int64_t wanted, executions;     /* the call's number, and the number of calls so far */
} capture;

static void disarm(void) {
    free(capture.kernel);
    free(capture.folder);
    free(capture.script);
    capture.kernel = capture.folder = capture.script = NULL;
    kernel_watcher = NULL;
}

/* ---- the folder ---- */

static bool note_entry(void *found, const char *name) {
    (void)name;
    *(bool *)found = true;
    return false;
}

/* Files in the folder may have been changed since an earlier capture, so they are not overwritten. */
static bool is_empty(const char *path) {
    bool found = false;
    return folder_each(path, note_entry, &found) && !found;
}

/* Makes the folder, or accepts an empty one; false and errno if that fails. */
static bool make_folder(const char *path) {
    if (folder_make(path, false)) return true;
    if (errno != EEXIST) return false;
    if (is_empty(path)) return true;
    errno = ENOTEMPTY;
    return false;
}

static int32_t folder_refused(const char *path) {
    if (errno == ENOTEMPTY)
        return error_record(CL_INVALID_VALUE, CLUE_CAUSE_PARAMETER, "clue_capture",
                            "'%s' exists and is not an empty folder: use another name or remove it", path);
    return error_record(CL_INVALID_VALUE, CLUE_CAUSE_PARAMETER, "clue_capture",
                        "the folder '%s' cannot be made: %s", path, strerror(errno));
}

/* Checks early that the folder can be made, which happens only when the call comes. */
static int32_t check_folder(const char *path) {
    path_facts facts;
    const bool there = path_look(&facts, path, true) != PATH_NOTHING;
    if (!make_folder(path)) return folder_refused(path);
    if (!there) (void)remove(path);
    return 0;
}

/* ---- the call ---- */

/* What the call waits for must end before its memory is read; a user event cannot be set before this returns. */
static bool wait_for(const struct kernel_call *call) {
    const wait_list *waits = &call->queue->waits;
    if (execution_gate(call->made)) return capture_fail("it waits for a user event that is not set yet");
    if (waits->count && clWaitForEvents(waits->count, waits->events) != CL_SUCCESS)
        return capture_fail("an event that it waits for failed");
    queue_await(call->queue);
    waiting_for(call->kernel->what); /* as it was before */
    return true;
}

static bool write_before(const struct kernel_call *call) {
    return capture_write_memory(capture.folder, call, "before") &&
           capture_write_call(capture.folder, call, (long long)capture.wanted) &&
           (!capture.script || capture_write_script(capture.folder, capture.script));
}

/* Writes everything or nothing. */
static bool keep_before(const struct kernel_call *call) {
    if (!wait_for(call)) return false;
    if (!make_folder(capture.folder)) return capture_fail("'%s': %s", capture.folder, strerror(errno));
    if (write_before(call)) return true;
    folder_remove(capture.folder);
    return false;
}

/* True if this is the wanted call, and everything needed before it was written. */
static bool before(const struct kernel_call *call) {
    int64_t began;
    bool written;
    if (strcmp(call->kernel->name, capture.kernel) != 0 || ++capture.executions != capture.wanted) return false;
    began = trace_now();
    written = keep_before(call);
    trace_own(began);
    if (written) return true;
    disarm();
    return false;
}

/* Waits for the end of the call and writes its results. */
static void after(const struct kernel_call *call, cl_int code) {
    const int64_t began = trace_now();
    capture_has_call(true);
    if (code == CL_SUCCESS) (void)clFlush(call->queue->queue);
    if (code == CL_SUCCESS) code = clWaitForEvents(1, &call->made->event);
    if (code == CL_SUCCESS)
        (void)capture_write_memory(capture.folder, call, "after");
    else
        (void)capture_fail("it failed: %s", clue_error_name(code) ? clue_error_name(code) : "unknown error");
    capture_has_call(false);
    trace_own(began);
    disarm();
}

static const struct kernel_watcher watcher = {before, after};

/* ---- asking for it ---- */

static int32_t check(const char *name, int64_t call, const char *folder) {
    static const char set[] = "clue_capture";
    if (!name || !*name)
        return error_record(CL_INVALID_KERNEL_NAME, CLUE_CAUSE_PARAMETER, set, "the kernel's name is empty");
    if (call < 1)
        return error_record(CL_INVALID_VALUE, CLUE_CAUSE_PARAMETER, set, "call %lld: calls count from 1",
                            (long long)call);
    if (!folder || !*folder)
        return error_record(CL_INVALID_VALUE, CLUE_CAUSE_PARAMETER, set, "the folder's name is empty");
    return check_folder(folder);
}

int32_t clue_capture(const char *name, int64_t call, const char *folder, const char *script) {
    int32_t code = check(name, call, folder);
    if (code) return code;
    disarm();
    capture.kernel = text_copy(name);
    capture.folder = text_copy(folder);
    capture.script = script ? text_copy(script) : NULL;
    capture.wanted = call;
    capture.executions = 0;
    if (!capture.kernel || !capture.folder || (script && !capture.script)) {
        disarm();
        return error_out_of_memory("clue_capture");
    }
    kernel_watcher = &watcher;
    return 0;
}

/* Reads CLUE_CAPTURE=KERNEL:N, which `clue trace --capture` sets, and removes it, so that child processes capture
 * nothing. */
__attribute__((constructor)) static void look_at_environment(void) {
    const char *wanted = getenv("CLUE_CAPTURE"), *folder = getenv("CLUE_CAPTURE_FOLDER");
    const char *colon = wanted ? strrchr(wanted, ':') : NULL;
    char name[NAME];
    if (!colon || !folder) return;
    (void)snprintf(name, sizeof name, "%.*s", (int)(colon - wanted), wanted);
    if (clue_capture(name, strtoll(colon + 1, NULL, 10), folder, getenv("CLUE_CAPTURE_SCRIPT")))
        (void)capture_fail("%s", clue_error_text());
    (void)process_set_variable("CLUE_CAPTURE", NULL);
}
