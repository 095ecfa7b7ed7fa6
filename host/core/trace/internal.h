/* internal.h - what the files of this folder share; trace.h is for the other folders. */
#ifndef CLUE_TRACE_INTERNAL_H
#define CLUE_TRACE_INTERNAL_H

#include "clue.h"
#include "trace/trace.h"

#include <stdio.h>

/* ---- trace.c ---- */

extern bool trace_on; /* calls are recorded */

/* waits: the call waits for a device, and may be the last thing that the process does. */
void trace_begin(const char *call, bool waits);
void trace_end(cl_int code, bool waited);

/* ---- trace.c: commands, for which these two replace trace_begin() and trace_end() ---- */

typedef struct trace_command {
    int64_t id;
    int32_t queue; /* -1: it is not recorded */
    bool blocking;
    const char *call;
    cl_event own; /* used if the caller wants no event */
    cl_event *at;
} trace_command;

/* Returns where the driver must write the event. detail: "kernel 'f'" or NULL; range: "64x64 by 8x8" or NULL. */
cl_event *trace_command_begin(trace_command *self, cl_command_queue on, const char *call, cl_event *event_out,
                              const char *detail, const char *range, int64_t bytes);
void trace_command_end(trace_command *self, cl_int code);

/* ---- trace_queue.c: queues and devices by number, and their clocks ---- */

/* The queue's number in the file. Writes the queue and its device first, if the file does not have them yet. */
int32_t trace_queue_number(FILE *file, cl_command_queue queue);
void trace_write_times(FILE *file, int64_t id, int32_t queue, cl_event event, cl_int status);
/* An object is about to be released. If it is a queue, another one may get its address. */
void trace_forget(const void *released);
/* Forgets all queues and devices, for a new file. */
void trace_forget_all(void);
/* Writes the time of each device's timer together with the host's clock. */
void trace_write_timers(FILE *file);

#endif
