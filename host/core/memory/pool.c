/* pool.c - freed memory of devices, which the next buffers of the same size and flags get.
 *
 * A script's collector frees many buffers at once. Then the driver gives their memory back to the device, and must
 * fetch memory for the next buffers: NVIDIA's takes 20 us for 1 MiB. So each context keeps some of the memory on a
 * device that has its own.
 *
 * CLUE_NO_POOL=1 switches this off: whoever looks for reads of what nobody wrote (clue check) must see each buffer
 * new.
 *
 * A driver frees a buffer's memory only when the commands that use it have ended. Here, the buffer waits for the
 * last command that was enqueued before the script freed it. */
#include "memory/internal.h"

#include <stdlib.h>

enum { BINS = 16, PART = 32 /* of the device's memory is kept at most */ };

typedef struct kept {
    cl_mem memory;
    execution *user; /* held: the command that may still use it; NULL: none */
    struct kept *next;
} kept;

/* Memory of one size, the longest kept first. */
typedef struct bin {
    int64_t size; /* 0: the bin is not in use */
    cl_mem_flags flags;
    kept *first, **end;
    int64_t asked; /* when it was last asked for, by the pool's number of questions */
} bin;

typedef struct pool {
    remains base; /* its context frees it at the end */
    context *of;
    int64_t bytes, limit, questions;
    bin bins[BINS];
    struct pool *next;
} pool;

static pool *pools;
static bool closed; /* memory is short: what a collection frees now should go to the driver */

/* ---- what a pool has ---- */

static cl_mem take_first(pool *self, bin *from) {
    kept *first = from->first;
    const cl_mem memory = first->memory;
    from->first = first->next;
    if (!from->first) from->end = &from->first;
    self->bytes -= from->size;
    execution_release(first->user);
    free(first);
    return memory;
}

static void empty_bin(pool *self, bin *one) {
    while (one->first)
        (void)clReleaseMemObject(take_first(self, one));
    one->size = 0;
}

static void empty(pool *self) {
    for (int i = 0; i < BINS; i++)
        empty_bin(self, &self->bins[i]);
}

static pool *pool_of(const context *in) {
    pool *self = pools;
    while (self && self->of != in)
        self = self->next;
    return self;
}

static bin *bin_of(pool *self, int64_t size, cl_mem_flags flags) {
    for (int i = 0; i < BINS; i++)
        if (self->bins[i].size == size && self->bins[i].flags == flags) return &self->bins[i];
    return NULL;
}

/* ---- its beginning and end ---- */

/* As long as the context lives, there may be more to keep. */
static bool end_pool(remains *base, const context *in, bool waits) {
    pool *self = (pool *)base, **at = &pools;
    (void)in;
    if (!waits) return false;
    while (*at != self)
        at = &(*at)->next;
    *at = self->next;
    empty(self);
    free(self);
    return true;
}

/* NULL if there is too little memory for it. */
static pool *new_pool(context *in) {
    pool *self = calloc(1, sizeof *self);
    if (!self) return NULL;
    self->base.end = end_pool;
    self->of = in;
    self->limit = (int64_t)(in->device->own_memory / PART);
    self->next = pools;
    pools = self;
    context_keep(in, &self->base);
    return self;
}

/* ---- freed buffers ---- */

/* Looks at a queue for the command that may still use a buffer; false if there is a second one. */
static bool find_user(execution **user, queue *q) {
    if (q->out_of_order && q->pending.count > 0) return false;
    if (!q->last || execution_ended(q->last)) return true;
    if (*user) return false;
    *user = q->last;
    return true;
}

static bool find_user_of_all(execution **user, context *in) {
    bool found = find_user(user, &in->own);
    for (queue *q = in->queues; q && found; q = q->next)
        found = find_user(user, q);
    for (queue *q = in->closing; q && found; q = q->next)
        found = find_user(user, q);
    return found;
}

static bool is_off(void) {
    static int off = -1;
    if (off < 0) off = getenv("CLUE_NO_POOL") != NULL;
    return off;
}

static bool may_be_kept(const buffer *b) {
    const cl_mem_flags host = CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR | CL_MEM_ALLOC_HOST_PTR;
    const context *in = b->context;
    const bool whole = b->base.kind == CLUE_BUFFER && b->memory && !b->parent && !(b->flags & host);
    return whole && in->device_count == 1 && in->device->own_memory > 0 && !in->borrowed && !closed && !is_off();
}

/* The bin for a size; if there is none, that of the size which was not asked for longest. */
static bin *bin_for(pool *self, int64_t size, cl_mem_flags flags) {
    bin *found = bin_of(self, size, flags);
    if (found) return found;
    found = &self->bins[0];
    for (int i = 1; i < BINS; i++)
        if (self->bins[i].asked < found->asked) found = &self->bins[i];
    empty_bin(self, found);
    *found = (bin){.size = size, .flags = flags, .end = &found->first};
    return found;
}

/* False if there is too much of this size alone. */
static bool make_room(pool *self, const bin *into) {
    for (int i = 0; i < BINS && self->bytes + into->size > self->limit; i++)
        if (&self->bins[i] != into) empty_bin(self, &self->bins[i]);
    return self->bytes + into->size <= self->limit;
}

bool pool_keep(const buffer *b) {
    context *in = b->context;
    execution *user = NULL;
    pool *self;
    bin *into;
    kept *one;
    if (!may_be_kept(b) || !find_user_of_all(&user, in)) return false;
    if (!(self = pool_of(in)) && !(self = new_pool(in))) return false;
    if (b->size > self->limit) return false;
    into = bin_for(self, b->size, b->flags);
    into->asked = ++self->questions;
    if (!make_room(self, into) || !(one = malloc(sizeof *one))) return false;
    *one = (kept){b->memory, user ? execution_retain(user) : NULL, NULL};
    *into->end = one;
    into->end = &one->next;
    self->bytes += b->size;
    return true;
}

/* ---- new buffers ---- */

cl_mem pool_take(const context *in, int64_t size, cl_mem_flags flags) {
    pool *self = pool_of(in);
    bin *from = self ? bin_of(self, size, flags) : NULL;
    closed = false;
    if (!from) return NULL;
    from->asked = ++self->questions;
    if (!from->first || (from->first->user && !execution_ended(from->first->user))) return NULL;
    return take_first(self, from);
}

void pools_close(void) {
    for (pool *self = pools; self; self = self->next)
        empty(self);
    closed = true;
}

int64_t pools_bytes(void) {
    int64_t bytes = 0;
    for (const pool *self = pools; self; self = self->next)
        bytes += self->bytes;
    return bytes;
}
