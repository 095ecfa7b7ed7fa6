/* trace_part.c - recording a part of a run, that a script asks for: by trace.c, into a file of its own, or where
 * CLUE_TRACE has all of the run recorded into that one's file. */
#define CLUE_UNTRACED
#include "queue/queue.h"

#include <errno.h>
#include <string.h>

static const char start_call[] = "clue_trace_start", stop_call[] = "clue_trace_stop";

static struct {
    bool recording, own_file; /* own_file: it began with the file */
    const char *path;
} part;

int32_t clue_trace_start(const char **file_out, const char *path) {
    if (part.recording)
        return error_record(CL_INVALID_OPERATION, CLUE_CAUSE_PARAMETER, start_call,
                            "a part of the run is being recorded already: parts do not nest");
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
                            "no part of the run is being recorded: clue_trace_start() begins one");
    contexts_await();
    trace_settle();
    part.recording = false;
    well = trace_well();
    if (part.own_file) trace_close();
    return well ? 0
                : error_record(CL_INVALID_VALUE, CLUE_CAUSE_PARAMETER, stop_call,
                               "'%s' could not be written whole: is the disk full?", part.path);
}
