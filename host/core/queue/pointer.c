/* pointer.c - from handles to OpenCL's own objects, for callers that go on without the core (clue.raw).
 *
 * What is given is borrowed: nobody retains it here, and the core goes on checking only what is done through it. */
#include "queue/internal.h"

static const char call[] = "clRetain";

static void *own_pointer(const object *found) {
    return found->class->pointer ? found->class->pointer(found) : NULL;
}

/* Of the object or of what it belongs to. NULL: it has no such thing. */
static void *wanted_pointer(object *found, int32_t kind) {
    if (kind == CLUE_CONTEXT && context_of(found)) return context_of(found)->context;
    if (kind == CLUE_QUEUE && found->kind == CLUE_CONTEXT) return ((context *)found)->own.queue;
    return kind == CLUE_NONE || kind == found->kind ? own_pointer(found) : NULL;
}

static int32_t device_pointer(void **pointer_out, int32_t id) {
    const device *on = device_of_id(id, call);
    if (!on) return clue_error_code();
    *pointer_out = on->id;
    return 0;
}

int32_t clue_handle_pointer(void **pointer_out, int32_t id, int32_t kind) {
    object *found;
    void *pointer;
    int32_t code = handle_check_kind(kind, call);
    if (code) return code;
    if (kind == CLUE_DEVICE || (kind == CLUE_NONE && id >= 0 && id < CLUE_FIRST_HANDLE))
        return device_pointer(pointer_out, id);
    if (!(found = handle_find(id, CLUE_NONE, call))) return clue_error_code();
    if ((pointer = wanted_pointer(found, kind))) {
        if (kind == CLUE_QUEUE || found->kind == CLUE_QUEUE || found->kind == CLUE_EVENT)
            context_of(found)->lent = true;
        *pointer_out = pointer;
        return 0;
    }
    if (kind != CLUE_NONE && kind != found->kind && kind != CLUE_CONTEXT)
        (void)handle_find(id, kind, call); /* says what it is instead */
    else
        (void)error_record(CL_INVALID_VALUE, CLUE_CAUSE_HANDLE, call, "no object of OpenCL's is behind handle %d%s",
                           (int)id, kind == CLUE_CONTEXT ? ": it belongs to no context" : "");
    return clue_error_code();
}
