/* calls.h - macros to read calls.def: a row's parameters in the forms that C needs, and names for their types.
 *
 * A row writes a parameter as `(cl_mem) buffer`. CALL_PARAMETERS() turns all of them into `cl_mem buffer, ...`, for
 * the head of a function, and CALL_ARGUMENTS() into `buffer, ...`, for a call. */
#ifndef CLUE_CALLS_H
#define CLUE_CALLS_H

#include <CL/cl.h>

typedef void(CL_CALLBACK *call_context_notify)(const char *, const void *, size_t, void *);
typedef void(CL_CALLBACK *call_program_notify)(cl_program, void *);
typedef void(CL_CALLBACK *call_memory_notify)(cl_mem, void *);
typedef void(CL_CALLBACK *call_native_kernel)(void *);

/* The last parameters of every command. */
#define CALL_WAITS (cl_uint) count, (const cl_event *)events, (cl_event *)event_out

#define CALL_PARAMETERS(...) CALL_EACH(CALL_TYPED, __VA_ARGS__)
#define CALL_ARGUMENTS(...) CALL_EACH(CALL_NAMED, __VA_ARGS__)
#define CALL_TYPED(...) __VA_ARGS__
#define CALL_NAMED(...)

/* Puts the macro m before each of up to 14 parameters: their parentheses become its own. */
#define CALL_EACH(m, ...)                                                                                          \
    CALL_PICK(__VA_ARGS__, CALL_14, CALL_13, CALL_12, CALL_11, CALL_10, CALL_9, CALL_8, CALL_7, CALL_6, CALL_5,    \
              CALL_4, CALL_3, CALL_2, CALL_1, 0)                                                                   \
    (m, __VA_ARGS__)
#define CALL_PICK(a, b, c, d, e, f, g, h, i, j, k, l, m, n, picked, ...) picked
#define CALL_1(m, p) m p
#define CALL_2(m, p, ...) m p, CALL_1(m, __VA_ARGS__)
#define CALL_3(m, p, ...) m p, CALL_2(m, __VA_ARGS__)
#define CALL_4(m, p, ...) m p, CALL_3(m, __VA_ARGS__)
#define CALL_5(m, p, ...) m p, CALL_4(m, __VA_ARGS__)
#define CALL_6(m, p, ...) m p, CALL_5(m, __VA_ARGS__)
#define CALL_7(m, p, ...) m p, CALL_6(m, __VA_ARGS__)
#define CALL_8(m, p, ...) m p, CALL_7(m, __VA_ARGS__)
#define CALL_9(m, p, ...) m p, CALL_8(m, __VA_ARGS__)
#define CALL_10(m, p, ...) m p, CALL_9(m, __VA_ARGS__)
#define CALL_11(m, p, ...) m p, CALL_10(m, __VA_ARGS__)
#define CALL_12(m, p, ...) m p, CALL_11(m, __VA_ARGS__)
#define CALL_13(m, p, ...) m p, CALL_12(m, __VA_ARGS__)
#define CALL_14(m, p, ...) m p, CALL_13(m, __VA_ARGS__)

#endif
