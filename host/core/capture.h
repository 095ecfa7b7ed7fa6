/* capture.h - one call of a kernel kept in a folder, for trace_calls.c, which every call comes through. */
#ifndef CLUE_CAPTURE_H
#define CLUE_CAPTURE_H

#include <CL/cl.h>
#include <stdbool.h>
#include <stdio.h>

/* ---- capture.c: which call it is, and what its kernel's arguments are ---- */

struct capture_argument {
    bool set;
    size_t size;
    unsigned char *bytes; /* NULL: local memory */
};

struct capture_call {
    cl_command_queue queue;
    cl_kernel kernel;
    cl_uint dimensions;
    const size_t *offset, *global, *local;
    cl_uint count; /* of events to be waited for */
    const cl_event *events;
};

extern bool capture_on; /* arguments have to be remembered */

/* A kernel's argument was set. */
void capture_argument(cl_kernel of, cl_uint index, size_t size, const void *value);
void capture_forget_kernel(cl_kernel released);
/* Before a kernel is enqueued: whether it was the one, and all is kept that it begins with. */
bool capture_before(const struct capture_call *call);
/* When it is enqueued: waits for its end and keeps its results. done: its event. */
void capture_after(const struct capture_call *call, cl_event done, cl_int code);

/* ---- capture_write.c: the folder. All return whether it went well, and say why not ---- */

/* Says that nothing, or no more, is captured, and why; false. */
__attribute__((format(printf, 1, 2))) bool capture_fail(const char *format, ...);
bool capture_has_source(const struct capture_call *call);
/* Program, arguments and the rest: kernel.cl, include/ and call.lua. */
bool capture_write_call(const char *folder, const struct capture_call *call,
                        const struct capture_argument *arguments, cl_uint count, const char *name,
                        long long number);
/* moment: "before" or "after" */
bool capture_write_buffers(const char *folder, const struct capture_call *call,
                           const struct capture_argument *arguments, cl_uint count, const char *moment);

/* ---- capture_source.c ---- */

/* Writes kernel.cl and the headers that it reads; how many these are, -1: it failed. */
int capture_write_source(const char *folder, const char *source, const char *options);
/* Takes out of build options what holds in this place only: every -I. */
void capture_drop_folders(char *options);

/* ---- capture_npy.c ---- */

/* type: as a driver tells an argument's, "float4*"; elements it does not know are told as bytes. */
bool capture_write_npy(const char *path, const char *type, const void *data, size_t size);

#endif
