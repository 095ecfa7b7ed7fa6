/* array_memory.c - the memory of arrays.
 *
 * calloc gives the memory, which is aligned by hand; calloc's pointer and the size are in the words before the
 * array. calloc does not touch the fresh pages of a large block, so an array costs memory and time only when it is
 * used; aligned_alloc and memset would touch every page. The price is up to one page more for each array. The size
 * is rounded up to cache lines, because drivers that use host memory in place require that. */
#include "../core/base/base.h"

#include <stdlib.h>
#include <string.h>

enum { PAGE = 4096, CACHE_LINE = 64 };

struct head {
    void *block;
    int64_t bytes;
};

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
    memory_hold(bytes);
    return data;
}

void clue_array_free(void *data) {
    struct head head;
    if (!data) return;
    memcpy(&head, (char *)data - sizeof head, sizeof head);
    memory_let_go(head.bytes);
    free(head.block);
}
