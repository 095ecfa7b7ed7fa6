/* null_call.c - a stand-in for each OpenCL call of the core, made from host/core/trace/calls.def.
 *
 * A stand-in records its call, then does what all calls of its kind do: calls that make an object make and count
 * one, commands give an event, queries are refused as unknown, and all others succeed. Where a call has to do more,
 * the driver's other files replace its stand-in. */
#include "null.h"

#include "trace/calls.h"

#define TEXT(...) TEXT_OF(__VA_ARGS__)
#define TEXT_OF(...) #__VA_ARGS__
#define NUMBER(type) (uintptr_t)
#define REFUSED(name, ...)                                                                                         \
    (null_watched ? null_watch_call(#name, TEXT(__VA_ARGS__), (const uintptr_t[]){CALL_EACH(NUMBER, __VA_ARGS__)}) \
                  : CL_SUCCESS)

#define CALL(result, name, ...)                                                                                    \
    static result CL_API_CALL null_##name(CALL_PARAMETERS(__VA_ARGS__)) {                                          \
        return REFUSED(name, __VA_ARGS__);                                                                         \
    }
#define MAKES(kind, type, name, ...)                                                                               \
    static type CL_API_CALL null_##name(CALL_PARAMETERS(__VA_ARGS__, (cl_int *)error_out)) {                       \
        static cl_uint made;                                                                                       \
        const cl_int refused = REFUSED(name, __VA_ARGS__);                                                         \
        if (error_out) *error_out = refused;                                                                       \
        return refused ? NULL : null_make(sizeof(null_object), &made, error_out);                                  \
    }
#define COMMANDS(name, bytes, blocking, ...)                                                                       \
    static cl_int CL_API_CALL null_##name(CALL_PARAMETERS(__VA_ARGS__, CALL_WAITS)) {                              \
        const cl_int refused = REFUSED(name, __VA_ARGS__, (const cl_event *)events, (cl_event *)event_out);        \
        (void)count;                                                                                               \
        return refused ? refused : null_give_event(event_out);                                                     \
    }
#define ASKS(name, ...)                                                                                            \
    static cl_int CL_API_CALL null_##name(CALL_PARAMETERS(__VA_ARGS__)) {                                          \
        const cl_int refused = REFUSED(name, __VA_ARGS__);                                                         \
        return refused ? refused : CL_INVALID_VALUE;                                                               \
    }
#define RETAINS(kind, name, type)                                                                                  \
    static cl_int CL_API_CALL null_##name(type object) {                                                           \
        const cl_int refused = REFUSED(name, (type)object);                                                        \
        if (!refused) null_retain(object);                                                                         \
        return refused;                                                                                            \
    }
#define RELEASES(kind, name, type)                                                                                 \
    static cl_int CL_API_CALL null_##name(type object) {                                                           \
        const cl_int refused = REFUSED(name, (type)object);                                                        \
        if (!refused) null_release(object);                                                                        \
        return refused;                                                                                            \
    }
/* Written by hand: the calls that make queues, and those that give addresses. */
#define MAKES_QUEUE(...)
#define MAPS(...)
#define FINDS(...)
#define ALLOCATES(...)
#define FREES(...)
#include "trace/calls.def"

void null_calls(void) {
#define CALL(result, name, ...) null_table.name = null_##name;
#define MAKES_QUEUE(...)
#define MAPS(...)
#define FINDS(...)
#define ALLOCATES(...)
#define FREES(...)
#include "trace/calls.def"
}
