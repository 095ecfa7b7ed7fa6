/* graph.h - what the files of this folder share: commands that are recorded once and replayed. Used by no other
 * folder.
 *
 * Each kernel of a graph is a copy of its own, so a replay sets no arguments, and arguments of the graph change
 * nothing else. A replay goes command by command, or as one command buffer of the driver. */
#ifndef CLUE_GRAPH_H
#define CLUE_GRAPH_H

#include "kernel/kernel.h"
#include "memory/memory.h"
#include "queue/queue.h"

/* One command. */
typedef struct step {
    prepared command; /* its objects are held, and its pattern and range are the two below */
    range range;
    unsigned char pattern[128];
    claim host;           /* the host's memory of a write or read, which command.data still names */
    int64_t arguments[2]; /* a kernel's `changes` when its range was last checked, and in the command buffer */
} step;

typedef struct graph {
    object base;
    context *context; /* held */
    queue *queue;     /* held: the one that it was recorded for */
    queue recorder;   /* its handle is free when the recording is over */
    step **steps;
    int32_t count, room;
    bool changed;                  /* an argument was set since the replay before this one */
    bool blocks;                   /* it has a write or read for which the caller waits */
    char *what;                    /* "graph of kernel 'f', a copy between buffers"; NULL while it is recorded */
    struct command_buffer *driver; /* NULL: clue replays the commands one by one */
    execution *last;               /* the newest replay through the command buffer */
} graph;

/* ---- graph_step.c ---- */

kernel *step_kernel(const step *self); /* NULL for a command that is not a kernel */
/* Adds a command, with all that it needs copied or held. */
int32_t graph_add(graph *self, const prepared *command);
void step_free(step *self);
/* At the beginning of a replay: fails, and names the command, if one cannot be replayed any more. */
int32_t graph_ready(graph *self);
/* Adds the command's number to the failure just recorded. */
int32_t graph_blame(const graph *self, int32_t index, int32_t code);

/* ---- graph_driver.c: cl_khr_command_buffer ---- */

/* Makes the command buffer; without one, clue replays the graph. */
void graph_open_driver(graph *self);
void graph_close_driver(graph *self);
/* True if this replay can use the command buffer. */
bool graph_driver_serves(const graph *self, const queue *on);
/* Makes it anew if it has old arguments; afterwards, it may be gone. */
void graph_update_driver(graph *self);
int32_t graph_driver_enqueue(const graph *self, const wait_list *waits, cl_event *event_at);

#endif
