/* trace_part.c - records a part of a run when a script asks for it: trace.c writes it to a file of its own, or to
 * the file of CLUE_TRACE if that records the whole run. */
#define CLUE_UNTRACED
#include "queue/queue.h"

#include <errno.h>
#include <string.h>

static const char start_call[] = "clue_trace_start", stop_call[] = "clue_trace_stop";

static struct {
    bool recording, own_file; /* own_file: the file began with this part */
    const char *path;
} part;

int32_t clue_trace_start(const char **file_out, const char *path) {
    if (part.recording)
        return error_record(CL_INVALID_OPERATION, CLUE_CAUSE_PARAMETER, start_call,
                            "a part of the run is being recorded already: parts cannot be nested");
    if (!path || !*path)
        return error_record(CL_INVALID_VALUE, CLUE_CAUSE_PARAMETER, start_call,
                            "the path of the file for records is empty");
    part.path = trace_open(&part.own_file, path);
    if (!part.path)
        return error_record(CL_INVALID_VALUE, CLUE_CAUSE_PARAMETER, start_call, "'%s' cannot be written: %s", path,
                            strerror(errno));
    part.recording = true;
    *file_out = part.path;
    return 0;
}

int32_t clue_trace_stop(void) {
    bool well;
    if (!part.recording)
        return error_record(CL_INVALID_OPERATION, CLUE_CAUSE_PARAMETER, stop_call,
                            "no part of the run is being recorded: call clue_trace_start() first");
    contexts_await();
    trace_settle();
    part.recording = false;
    well = trace_well();
    if (part.own_file) trace_close();
    return well ? 0
                : error_record(CL_INVALID_VALUE, CLUE_CAUSE_PARAMETER, stop_call,
                               "'%s' could not be written completely: is the disk full?", part.path);
}
