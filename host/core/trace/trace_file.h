/* trace_file.h - what the trace's files share; trace.h is what the rest of the core sees. */
#ifndef CLUE_TRACE_FILE_H
#define CLUE_TRACE_FILE_H

#include "clue.h"
#include "trace/trace.h"

#include <stdio.h>

/* ---- trace_queue.c: queues and devices by number, and their clocks ---- */

/* Writes what the file does not have of the queue yet. */
int32_t trace_queue_number(FILE *file, cl_command_queue queue);
void trace_write_times(FILE *file, int64_t id, int32_t queue, cl_event event, cl_int status);
/* The next file begins anew. */
void trace_forget_all(void);
/* One look at each device's timer beside the host's clock. */
void trace_write_timers(FILE *file);

/* ---- trace_process.c ---- */

long trace_process(void);
void trace_write_process(FILE *file);

#endif
