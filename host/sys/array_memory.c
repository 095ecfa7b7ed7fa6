/* array_memory.c - the memory of arrays, and how much of it is held.
 *
 * calloc gives the memory, which is aligned by hand; calloc's pointer and the size are in the words before the
 * array. calloc does not touch the fresh pages of a large block, so an array costs memory and time only when it is
 * used; aligned_alloc and memset would touch every page. The price is up to one page more for each array. The size
 * is rounded up to cache lines, because drivers that use host memory in place require that.
 *
 * A script's garbage collector sees a few bytes of an object, and not its memory. So it should collect when twice
 * as much memory is held as after its last collection. */
#include "../core/base/base.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum { PAGE = 4096, CACHE_LINE = 64 };
enum { LEAST_PATIENCE = 256 << 20 };

struct head {
    void *block;
    int64_t bytes;
};

/* Drivers free the memory that they used in place from their own threads. */
static _Atomic int64_t held, patience = LEAST_PATIENCE;

static void *allocate(int64_t bytes) {
    const int64_t extra = PAGE + (int64_t)sizeof(struct head) + CACHE_LINE;
    struct head head = {NULL, bytes};
    int64_t lines;
    char *first, *data;
    if (bytes < 0 || bytes > PTRDIFF_MAX - extra) return NULL;
    lines = (bytes + CACHE_LINE - 1) / CACHE_LINE;
    head.block = calloc(1, (size_t)(lines * CACHE_LINE + PAGE + (int64_t)sizeof head));
    if (!head.block) return NULL;
    first = (char *)head.block + sizeof head;
    data = first + (PAGE - (uintptr_t)first % PAGE) % PAGE;
    memcpy(data - sizeof head, &head, sizeof head);
    return data;
}

void *clue_array_allocate(int64_t bytes) {
    void *data = allocate(bytes);
    if (!data) {
        error_record(CL_OUT_OF_HOST_MEMORY, CLUE_CAUSE_MEMORY, "clue_array_allocate",
                     "no memory for an array of %lld bytes", (long long)bytes);
        return NULL;
    }
    held += bytes;
    return data;
}

static int64_t patience_for(int64_t bytes) {
    return bytes > LEAST_PATIENCE / 2 ? 2 * bytes : LEAST_PATIENCE;
}

void clue_array_free(void *data) {
    struct head head;
    if (!data) return;
    memcpy(&head, (char *)data - sizeof head, sizeof head);
    held -= head.bytes;
    if (patience > patience_for(held)) patience = patience_for(held); /* an array that was freed does not count */
    free(head.block);
}

int32_t clue_array_crowded(int64_t bytes) {
    return bytes > 0 && bytes > patience - held;
}

void clue_array_collected(void) {
    patience = patience_for(held);
}
