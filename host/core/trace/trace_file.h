/* trace_file.h - what the trace's files share; trace.h is what the rest of the core sees. */
#ifndef CLUE_TRACE_FILE_H
#define CLUE_TRACE_FILE_H

#include "clue.h"
#include "trace/trace.h"

#include <stdio.h>

/* ---- trace.c ---- */

/* Recording took the time from then until now. */
void trace_own(int64_t began);
/* Records from now on, into this file (made), or the one that is written already; its path; NULL and errno: it
 * cannot be written. */
const char *trace_open(bool *made_out, const char *path);
bool trace_well(void); /* all could be written so far */
void trace_close(void);

/* ---- trace_queue.c: queues and devices by number, and their clocks ---- */

int64_t trace_now(void); /* nanoseconds of the monotonic clock */
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
