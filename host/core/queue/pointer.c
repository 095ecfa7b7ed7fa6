/* pointer.c - gives callers OpenCL's own objects behind handles, so that they can go on without the core
 * (clue.raw).
 *
 * The caller borrows the object: it is not retained here, and the core goes on checking only what is done through
 * it. */
#include "queue/internal.h"

static const char call[] = "clRetain";

static void *own_pointer(const object *found) {
    return found->class->pointer ? found->class->pointer(found) : NULL;
}

/* The pointer of the object, or of the one that it belongs to; NULL if there is none. */
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
        if (context_of(found)) context_of(found)->borrowed = true;
        if (kind == CLUE_QUEUE || found->kind == CLUE_QUEUE || found->kind == CLUE_EVENT)
            context_of(found)->lent = true;
        *pointer_out = pointer;
        return 0;
    }
    if (kind != CLUE_NONE && kind != found->kind && kind != CLUE_CONTEXT)
        (void)handle_find(id, kind, call); /* records what it is instead */
    else
        (void)error_record(CL_INVALID_VALUE, CLUE_CAUSE_HANDLE, call,
                           "there is no OpenCL object behind handle %d%s", (int)id,
                           kind == CLUE_CONTEXT ? ": it belongs to no context" : "");
    return clue_error_code();
}
