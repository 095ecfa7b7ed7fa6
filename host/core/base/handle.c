/* handle.c - the table of handles and their objects, and the reference counts.
 *
 * A handle consists of a slot (17 bits) and a generation (14 bits, from 1), so it is 131072 or more and never a
 * device ordinal. Free slots are reused first in, first out, and the table grows while few are free. So a stale
 * handle is found for millions of creations. A handle is always looked up, never trusted. */
#include "base/base.h"

#include <stdlib.h>
#include <string.h>

enum {
    SLOT_BITS = 17,
    MAX_SLOTS = 1 << SLOT_BITS,
    FIRST_SLOTS = 1024,
    FEW_FREE_SLOTS = FIRST_SLOTS / 2, /* times MAX_GENERATION: creations before a stale handle may match again */
    MAX_GENERATION = (1 << 14) - 1
};

typedef struct slot {
    object *object;     /* NULL when free */
    int32_t generation; /* that of the present handle, in a free slot that of the last one; 0: no handle yet */
    int32_t next;       /* of a free slot: the next free one, -1 at the end */
    int32_t kind;       /* that of the present or last object, to name a stale handle */
} slot;

static struct {
    slot *slots;
    int32_t size, live, first_free, last_free;
} table = {.first_free = -1, .last_free = -1};

/* Indexed by CLUE_CONTEXT and so on. */
static const struct {
    const char *name, *phrase; /* "image", "an image" */
    int32_t code;              /* for a wrong handle */
    const char *release;
} kinds[] = {
    {"handle", "a handle", CL_INVALID_VALUE, "clRelease"},
    {"context", "a context", CL_INVALID_CONTEXT, "clReleaseContext"},
    {"program", "a program", CL_INVALID_PROGRAM, "clReleaseProgram"},
    {"kernel", "a kernel", CL_INVALID_KERNEL, "clReleaseKernel"},
    {"buffer", "a buffer", CL_INVALID_MEM_OBJECT, "clReleaseMemObject"},
    {"queue", "a queue", CL_INVALID_COMMAND_QUEUE, "clReleaseCommandQueue"},
    {"event", "an event", CL_INVALID_EVENT, "clReleaseEvent"},
    {"device", "a device", CL_INVALID_DEVICE, "clReleaseDevice"},
    {"mapping", "a mapping", CL_INVALID_VALUE, "clEnqueueUnmapMemObject"},
    {"image", "an image", CL_INVALID_MEM_OBJECT, "clReleaseMemObject"},
    {"sampler", "a sampler", CL_INVALID_SAMPLER, "clReleaseSampler"},
    {"host_memory", "host memory", CL_INVALID_HOST_PTR, "clReleaseMemObject"},
    {"svm", "shared virtual memory", CL_INVALID_VALUE, "clSVMFree"},
    {"graph", "a graph", CL_INVALID_VALUE, "clue_graph_create"},
};
enum { KINDS = sizeof kinds / sizeof kinds[0] };

const char *handle_kind_name(int32_t kind) {
    return kinds[kind].name;
}

int32_t handle_missing_code(int32_t kind) {
    return kinds[kind].code;
}

static void put_free(int32_t index) {
    table.slots[index].next = -1;
    if (table.last_free >= 0)
        table.slots[table.last_free].next = index;
    else
        table.first_free = index;
    table.last_free = index;
}

static bool grow(void) {
    int32_t size = table.size ? table.size * 2 : FIRST_SLOTS;
    slot *slots = realloc(table.slots, (size_t)size * sizeof *slots);
    if (!slots) return false;
    memset(slots + table.size, 0, (size_t)(size - table.size) * sizeof *slots);
    table.slots = slots;
    for (int32_t i = table.size; i < size; i++)
        put_free(i);
    table.size = size;
    return true;
}

/* The first free slot; -1 and a recorded failure if there is none. If there is no memory to grow, the free slots
 * are still used. */
static int32_t take_free(const char *call) {
    const bool enough = table.size - table.live >= FEW_FREE_SLOTS || table.size == MAX_SLOTS || grow();
    const int32_t index = table.first_free;
    if (index < 0 && enough)
        (void)error_record(CL_OUT_OF_HOST_MEMORY, CLUE_CAUSE_FULL, call,
                           "%d handles are live, which is the limit: free handles that are no longer needed",
                           (int)table.live);
    else if (index < 0)
        (void)error_out_of_memory(call);
    if (index < 0) return -1;
    table.first_free = table.slots[index].next;
    if (table.first_free < 0) table.last_free = -1;
    return index;
}

int32_t handle_open(int32_t *handle_out, object *self, const object_class *class, const char *call) {
    const int32_t index = take_free(call);
    slot *s;
    if (index < 0) return clue_error_code();
    s = &table.slots[index];
    s->object = self;
    s->kind = class->kind;
    s->generation = s->generation == MAX_GENERATION ? 1 : s->generation + 1;
    table.live++;
    *self = (object){
        .class = class, .kind = class->kind, .handle = s->generation << SLOT_BITS | index, .references = 1};
    *handle_out = self->handle;
    return 0;
}

/* The slot of a handle, even of another generation; NULL for a number that never was a handle. */
static const slot *slot_of(int32_t handle) {
    const int32_t index = handle & (MAX_SLOTS - 1);
    if (handle < CLUE_FIRST_HANDLE || handle >> SLOT_BITS == 0 || index >= table.size) return NULL;
    return table.slots[index].generation ? &table.slots[index] : NULL;
}

static object *live_object(int32_t handle) {
    const slot *s = slot_of(handle);
    return s && s->generation == handle >> SLOT_BITS ? s->object : NULL;
}

static void explain_missing(int32_t handle, int32_t kind, const char *call) {
    const slot *s = slot_of(handle);
    const char *wanted = kinds[kind].phrase;
    int32_t code = kinds[kind].code;
    if (handle == -1)
        error_record(code, CLUE_CAUSE_FAILED, call, "-1 is not %s: the call that should have made it failed",
                     wanted);
    else if (handle < CLUE_FIRST_HANDLE)
        error_record(code, CLUE_CAUSE_HANDLE, call, "%d is not %s: handles are %d or more", (int)handle, wanted,
                     CLUE_FIRST_HANDLE);
    else if (s && handle >> SLOT_BITS == s->generation)
        error_record(code, CLUE_CAUSE_HANDLE, call, "%s %d was freed", kinds[s->kind].name, (int)handle);
    else if (s && handle >> SLOT_BITS < s->generation)
        error_record(code, CLUE_CAUSE_HANDLE, call, "handle %d was freed", (int)handle);
    else
        error_record(code, CLUE_CAUSE_HANDLE, call, "%d was never a handle", (int)handle);
}

object *handle_find(int32_t handle, int32_t kind, const char *call) {
    object *found = live_object(handle);
    if (error_forked(call)) return NULL;
    if (!found) {
        explain_missing(handle, kind, call);
        return NULL;
    }
    if (kind == CLUE_NONE || found->kind == kind) return found;
    error_record(kinds[kind].code, CLUE_CAUSE_HANDLE, call, "%d is %s; %s is needed", (int)handle,
                 kinds[found->kind].phrase, kinds[kind].phrase);
    return NULL;
}

int32_t clue_handle_kind(int32_t handle) {
    const object *found = live_object(handle);
    return found ? found->kind : CLUE_NONE;
}

int32_t handle_kind(int32_t handle) {
    const slot *s = slot_of(handle);
    return s && s->generation == handle >> SLOT_BITS ? s->kind : CLUE_NONE;
}

int32_t clue_handle_count(void) {
    return table.live;
}

/* The handle is that of the slot, not what the object says: so this ends even if a kernel has written over it. */
int32_t clue_handle_next(int32_t handle) {
    int32_t index = handle ? (handle & (MAX_SLOTS - 1)) + 1 : 0;
    for (; index < table.size; index++)
        if (table.slots[index].object) return table.slots[index].generation << SLOT_BITS | index;
    return 0;
}

int32_t handle_check_kind(int32_t kind, const char *call) {
    if (kind >= CLUE_NONE && kind < KINDS) return 0;
    return error_record(CL_INVALID_VALUE, CLUE_CAUSE_PARAMETER, call, "%d is not a kind of handle", (int)kind);
}

int32_t clue_handle_free(int32_t handle, int32_t kind) {
    object *self;
    int32_t index = handle & (MAX_SLOTS - 1), code = handle_check_kind(kind, "clRelease");
    if (code) return code;
    self = handle_find(handle, kind, kinds[kind].release);
    if (!self) return clue_error_code();
    table.slots[index].object = NULL;
    put_free(index);
    table.live--;
    self->handle = 0;
    object_release(self);
    return 0;
}

void clue_handle_drop(int32_t handle) {
    if (live_object(handle)) (void)clue_handle_free(handle, CLUE_NONE);
}

object *object_parent(const object *self) {
    return self->class->parent ? self->class->parent(self) : NULL;
}

void object_retain(object *self) {
    self->references++;
}

void object_release(object *self) {
    if (self && --self->references == 0) self->class->destroy(self);
}
