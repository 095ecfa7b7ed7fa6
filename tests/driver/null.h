/* null.h - what the files of the null driver share: an OpenCL driver whose calls succeed and do nothing.
 *
 * null.c is the driver's face (platform, devices, the table of calls), null_call.c has a stand-in for each call of
 * the core; null_object.c has more for queues, buffers and events, null_program.c for programs and kernels,
 * null_svm.c for shared virtual memory. null_watch.c has what the environment asks for, null_tell.c how calls are
 * recorded. */
#ifndef CLUE_NULL_H
#define CLUE_NULL_H

#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl_icd.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* ---- null_watch.c: recording and failing ---- */

extern bool null_watched; /* whether the environment asks for either; where not, a call costs this one look */
void null_watch_begin(void);
/* Records the call; its code: CL_SUCCESS unless the environment wants it to fail. */
__attribute__((format(printf, 2, 3))) cl_int null_watch(const char *call, const char *format, ...);

/* The same of a call by its parameters as calls.def has them, and their values as numbers. */
cl_int null_watch_call(const char *call, const char *parameters, const uintptr_t *values);
/* null_tell.c */
void null_tell(FILE *to, const char *parameters, const uintptr_t *values);

/* At the head of a call that is made by hand: leaves it where it is to fail. */
#define WATCH(call, ...)                                                                                           \
    do {                                                                                                           \
        const cl_int refused = null_watched ? null_watch(#call, __VA_ARGS__) : CL_SUCCESS;                         \
        if (refused) return refused;                                                                               \
    } while (0)
/* The same in calls that make an object. */
#define WATCH_MAKER(call, ...)                                                                                     \
    do {                                                                                                           \
        const cl_int refused = null_watched ? null_watch(#call, __VA_ARGS__) : CL_SUCCESS;                         \
        if (error_out) *error_out = refused;                                                                       \
        if (refused) return NULL;                                                                                  \
    } while (0)

/* A number out of the environment, between 1 and most. */
cl_uint null_setting(const char *name, cl_uint usual, cl_uint most);

/* ---- objects: the ICD loader wants the table first ---- */

typedef struct null_object {
    const cl_icd_dispatch *table;
    cl_uint number; /* counted by kind from 1: how records name it */
    cl_uint references;
    void (*end)(void *self); /* of what it holds, with its last reference; NULL: nothing */
} null_object;

enum { NEVER_FREED = 1 << 30 }; /* references of what is no memory of its own */

extern cl_icd_dispatch null_table;

/* Zeroed, with one reference; NULL and the code stored: no memory. count is that of the objects of its kind. */
void *null_make(size_t size, cl_uint *count, cl_int *error_out);
void null_retain(void *object);
void null_release(void *object);
cl_uint null_number(const void *object);

/* Answers a question for information, as all clGet...Info calls do. */
cl_int null_answer(size_t size, void *value, size_t *size_out, const void *source, size_t source_size);
cl_int null_answer_text(size_t size, void *value, size_t *size_out, const char *text);
cl_int null_answer_number(size_t size, void *value, size_t *size_out, size_t width, cl_ulong number);

/* null.c */
cl_device_id null_device(cl_uint index);

/* null_object.c: a command's event, where it is wanted. */
cl_int null_give_event(cl_event *event_out);
#define TOLD_EVENT(count, event_out) (count) ? " waits" : "", (event_out) ? " event" : ""

/* null_svm.c: whether it is shared virtual memory, and which. */
bool null_find_svm(cl_uint *number_out, size_t *offset_out, const void *data);

/* Each puts its calls into the table: the first those of all kinds, the others what they have in place of these. */
void null_calls(void);
void null_object_calls(void);
void null_svm_calls(void);
void null_program_calls(void);

#endif
