/* null.h - shared by the files of the null driver, an OpenCL driver whose calls succeed and do nothing.
 *
 * null.c has the platform, the devices and the table of calls. null_call.c has a stand-in for each call of the
 * core. Calls that must do more are in null_object.c (queues, buffers and events), null_program.c (programs and
 * kernels) and null_svm.c (shared virtual memory). null_watch.c reads the settings in the environment, and
 * null_record.c writes a call's parameters into the record. */
#ifndef CLUE_NULL_H
#define CLUE_NULL_H

#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl_icd.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* ---- null_watch.c: recording and failing ---- */

extern bool null_watched; /* whether the environment asks for either; if not, this test is all that a call costs */
void null_watch_begin(void);
/* Records the call. Returns CL_SUCCESS, or the error code if the environment wants this call to fail. */
__attribute__((format(printf, 2, 3))) cl_int null_watch(const char *call, const char *format, ...);

/* The same, from the parameters as they are written in calls.def, and their values as numbers. */
cl_int null_watch_call(const char *call, const char *parameters, const uintptr_t *values);
/* null_record.c */
void null_record(FILE *to, const char *parameters, const uintptr_t *values);

/* At the head of a call that is written by hand: returns from it if the environment wants it to fail. */
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

/* A number from the environment, between 1 and most; usual if the variable is not set. */
cl_uint null_setting(const char *name, cl_uint usual, cl_uint most);

/* ---- objects: the ICD loader requires the table as the first member ---- */

typedef struct null_object {
    const cl_icd_dispatch *table;
    cl_uint number; /* counts from 1 for each kind; records name the object by it */
    cl_uint references;
    void (*end)(void *self); /* frees what the object holds, when its last reference goes; or NULL */
} null_object;

enum { NEVER_FREED = 1 << 30 }; /* the references of static objects */

extern cl_icd_dispatch null_table;

/* Makes a zeroed object with one reference; its number is the next after *count. Without memory: NULL and the
 * code. */
void *null_make(size_t size, cl_uint *count, cl_int *error_out);
void null_retain(void *object);
void null_release(void *object);
cl_uint null_number(const void *object);

/* Answers a query as all clGet...Info calls do. */
cl_int null_answer(size_t size, void *value, size_t *size_out, const void *source, size_t source_size);
cl_int null_answer_text(size_t size, void *value, size_t *size_out, const char *text);
cl_int null_answer_number(size_t size, void *value, size_t *size_out, size_t width, cl_ulong number);

/* null.c */
cl_device_id null_device(cl_uint index);

/* null_object.c: gives a command's event, if the caller wants it. */
cl_int null_give_event(cl_event *event_out);
#define EVENT_WORDS(count, event_out) (count) ? " waits" : "", (event_out) ? " event" : ""

/* null_svm.c: whether the address is in shared virtual memory; the number of the allocation and the offset. */
bool null_find_svm(cl_uint *number_out, size_t *offset_out, const void *data);

/* Each puts its calls into the table: null_calls() the stand-ins, the others what replaces some of them. */
void null_calls(void);
void null_object_calls(void);
void null_svm_calls(void);
void null_program_calls(void);

#endif
