/* backing.c - the memory that most drivers find for buffers and images only when a command first uses them.
 *
 * Until then, the buffer holds no memory, and a script's collector need not know of it. If there is none then, PoCL
 * 3.1 ends the process in an assertion. So the core tries to allocate as much just before such a command, which
 * makes the shortage an error: the caller can free something, and try again. */
#include "memory/internal.h"

#include <stdlib.h>

enum { PART = 32 };

/* The collector should run after LEAST_MORE bytes of garbage in the host's memory (base/held.c), or in a device's
 * own memory, where a collection frees nothing that is used again sooner, after a 32nd part of it. */
static int64_t weigh(const buffer *b) {
    const double part = (double)b->context->device->own_memory / PART;
    return part > LEAST_MORE ? (int64_t)((double)b->size * (LEAST_MORE / part)) : b->size;
}

static int32_t without; /* how many buffers and images have no memory yet */

static void set_unbacked(buffer *b, bool unbacked) {
    if (unbacked != b->unbacked) without += unbacked ? 1 : -1;
    b->unbacked = unbacked;
}

bool backing_complete(void) {
    return without == 0;
}

void backing_end(buffer *b) {
    set_unbacked(b, false);
}

void backing_hold(buffer *b) {
    b->held = weigh(b);
    memory_hold(b->held);
}

void backing_begin(buffer *b) {
    const cl_mem_flags early = CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR;
    if (b->parent || b->flags & CL_MEM_USE_HOST_PTR) return;
    set_unbacked(b, !(b->flags & early));
    if (!b->unbacked) backing_hold(b);
}

static buffer *root_of(buffer *b) {
    while (b->parent)
        b = b->parent;
    return b;
}

void backing_ask(struct backing *self, buffer *b) {
    buffer *root = root_of(b);
    if (!root->unbacked) return;
    set_unbacked(root, false); /* so that it counts once */
    root->next_asked = self->asked;
    self->asked = root;
    if (root->context->device->pocl) self->bytes += root->size;
}

int32_t backing_find(const struct backing *self, const char *call) {
    void *memory = self->bytes ? malloc((size_t)self->bytes) : NULL;
    const bool found = memory || !self->bytes;
    free(memory);
    for (buffer *b = self->asked; b; b = b->next_asked)
        if (found)
            backing_hold(b);
        else
            set_unbacked(b, true);
    if (found) return 0;
    return error_record(
        CL_MEM_OBJECT_ALLOCATION_FAILURE, CLUE_CAUSE_MEMORY, call,
        "the host has no memory left for %s that no command has used before: free arrays and buffers "
        "that are not needed",
        text_count(self->bytes, "byte"));
}

int32_t backing_of(buffer *b, const char *call) {
    struct backing need = {NULL, 0};
    backing_ask(&need, b);
    return backing_find(&need, call);
}
