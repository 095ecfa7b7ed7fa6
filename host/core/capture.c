/* capture.c - which call of a kernel is kept, and what that kernel's arguments are.
 *
 * clue_capture() or CLUE_CAPTURE=KERNEL:N (with CLUE_CAPTURE_FOLDER) say so. From then on clSetKernelArg's values
 * are remembered for kernels of that name: OpenCL does not give them back. */
#define CLUE_UNTRACED
#include "core.h"
#include "trace_file.h"

#include "capture.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { NAME = 256 };

typedef struct kept_kernel {
    cl_kernel kernel;
    cl_uint count;
    struct capture_argument *arguments;
    struct kept_kernel *next;
} kept_kernel;

bool capture_on;

static struct {
    char *kernel, *folder;
    int64_t wanted, executions; /* which one it is, and how many there were */
    kept_kernel *kernels;
} capture;

/* ---- remembering arguments ---- */

static bool is_wanted(cl_kernel of) {
    char name[NAME] = "";
    return capture.kernel && clGetKernelInfo(of, CL_KERNEL_FUNCTION_NAME, sizeof name, name, NULL) == CL_SUCCESS &&
           strcmp(name, capture.kernel) == 0;
}

static kept_kernel *find_kept(cl_kernel of) {
    kept_kernel *at = capture.kernels;
    while (at && at->kernel != of)
        at = at->next;
    return at;
}

static kept_kernel *keep_kernel(cl_kernel of) {
    kept_kernel *made = calloc(1, sizeof *made);
    if (!made) return NULL;
    made->kernel = of;
    (void)clGetKernelInfo(of, CL_KERNEL_NUM_ARGS, sizeof made->count, &made->count, NULL);
    made->arguments = calloc(made->count ? made->count : 1, sizeof *made->arguments);
    if (!made->arguments) {
        free(made);
        return NULL;
    }
    made->next = capture.kernels;
    capture.kernels = made;
    return made;
}

/* Without memory for it, the argument counts as not set, which the capture tells. */
void capture_argument(cl_kernel of, cl_uint index, size_t size, const void *value) {
    kept_kernel *kept = find_kept(of);
    struct capture_argument *at;
    if (!kept && (!is_wanted(of) || !(kept = keep_kernel(of)))) return;
    if (index >= kept->count) return;
    at = &kept->arguments[index];
    free(at->bytes);
    *at = (struct capture_argument){.size = size, .set = !value};
    if (!value || !(at->bytes = malloc(size))) return;
    memcpy(at->bytes, value, size);
    at->set = true;
}

static void free_kept(kept_kernel *kept) {
    for (cl_uint i = 0; i < kept->count; i++)
        free(kept->arguments[i].bytes);
    free(kept->arguments);
    free(kept);
}

void capture_forget_kernel(cl_kernel released) {
    kept_kernel **at = &capture.kernels;
    kept_kernel *kept;
    while (*at && (*at)->kernel != released)
        at = &(*at)->next;
    if (!(kept = *at)) return;
    *at = kept->next;
    free_kept(kept);
}

/* ---- the call ---- */

static void disarm(void) {
    while (capture.kernels)
        capture_forget_kernel(capture.kernels->kernel);
    free(capture.kernel);
    free(capture.folder);
    capture.kernel = capture.folder = NULL;
    capture_on = false;
    trace_changed();
}

/* What the call waits for must have ended before its buffers are read; a user event may not end before we return.
 */
static bool wait_for(const struct capture_call *call) {
    for (cl_uint i = 0; i < call->count; i++) {
        cl_command_type type = 0;
        cl_int status = CL_COMPLETE;
        (void)clGetEventInfo(call->events[i], CL_EVENT_COMMAND_TYPE, sizeof type, &type, NULL);
        (void)clGetEventInfo(call->events[i], CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL);
        if (type == CL_COMMAND_USER && status > CL_COMPLETE)
            return capture_fail("it waits for a user event that is not complete yet");
    }
    if (call->count && clWaitForEvents(call->count, call->events) != CL_SUCCESS)
        return capture_fail("what it waits for failed");
    return clFinish(call->queue) == CL_SUCCESS || capture_fail("the queue's earlier commands failed");
}

static bool all_set(const kept_kernel *kept) {
    for (cl_uint i = 0; i < kept->count; i++)
        if (!kept->arguments[i].set)
            return capture_fail("its argument %u was set before the capture was asked for", i);
    return true;
}

static bool write_before(const struct capture_call *call, const kept_kernel *kept) {
    return capture_has_source(call) && all_set(kept) && wait_for(call) &&
           capture_write_buffers(capture.folder, call, kept->arguments, kept->count, "before") &&
           capture_write_call(capture.folder, call, kept->arguments, kept->count, capture.kernel,
                              (long long)capture.wanted);
}

/* So that what lies there is of this capture, and whole, or nothing. */
static void remove_old(const char *folder) {
    char path[4096];
    (void)snprintf(path, sizeof path, "%s/call.lua", folder);
    (void)remove(path);
}

bool capture_before(const struct capture_call *call) {
    const int64_t began = trace_now();
    kept_kernel *kept;
    bool written;
    if (!is_wanted(call->kernel) || ++capture.executions != capture.wanted) return false;
    kept = find_kept(call->kernel);
    if (!kept) kept = keep_kernel(call->kernel);
    written = kept ? write_before(call, kept) : capture_fail("there is no memory for it");
    trace_own(began);
    if (written) return true;
    remove_old(capture.folder);
    disarm();
    return false;
}

void capture_after(const struct capture_call *call, cl_event done, cl_int code) {
    const kept_kernel *kept = find_kept(call->kernel);
    const int64_t began = trace_now();
    if (code == CL_SUCCESS) (void)clFlush(call->queue);
    if (code == CL_SUCCESS) code = done ? clWaitForEvents(1, &done) : clFinish(call->queue);
    if (code != CL_SUCCESS)
        (void)capture_fail("it failed itself: %s", clue_error_name(code) ? clue_error_name(code) : "unknown error");
    else if (kept)
        (void)capture_write_buffers(capture.folder, call, kept->arguments, kept->count, "after");
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
    trace_changed();
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
