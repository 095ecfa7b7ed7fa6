/* array_memory.c - the memory of arrays.
 *
 * malloc or calloc gives the memory, which is aligned by hand; their pointer, and what was asked for, are in the
 * words before the array. calloc does not touch the fresh pages of a large block, so an array costs memory and time
 * only when it is used; aligned_alloc and memset would touch every page. The price is up to one page more for each
 * array, which counts for the collector, too. The size is rounded up to cache lines, because drivers that use host
 * memory in place require that.
 *
 * Memory in huge pages is mapped. It lies between pages without access, so that the system neither joins it with
 * other memory nor counts the huge pages of both together. */
#include "../core/base/base.h"
#include "system.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PAGE = 4096, CACHE_LINE = 64, HUGE_PAGE = 2 << 20, LARGE = 128 << 10 };

#define MOST_ALIGNMENT (INT64_C(1) << 30)

struct head {
    void *block;
    int64_t bytes, alignment;
    int64_t mapped; /* bytes of the block, if it was mapped; else 0 */
};

static int64_t rounded_up(int64_t bytes, int64_t unit) {
    return (bytes + unit - 1) / unit * unit;
}

static void *keep_head(char *data, struct head head) {
    memcpy(data - sizeof head, &head, sizeof head);
    return data;
}

/* Asks for huge pages in whole pages of memory. clue_array_huge_bytes() says what came of it. */
static void ask_for_huge_pages(char *data, int64_t bytes) {
    pages_want_huge(data, (size_t)(bytes / PAGE * PAGE));
}

/* A large array is touched in fewer, larger steps if the system has huge pages to spare: a quarter of the time. */
static void *allocate(int64_t bytes, int64_t alignment, bool zeros) {
    struct head head = {NULL, bytes, alignment, 0};
    const size_t size = (size_t)(rounded_up(bytes, CACHE_LINE) + alignment + (int64_t)sizeof head);
    char *first;
    head.block = zeros && bytes >= LARGE ? calloc(1, size) : malloc(size);
    if (!head.block) return NULL;
    first = (char *)head.block + sizeof head;
    first += (size_t)(alignment - 1) - (uintptr_t)(first - 1) % (uintptr_t)alignment;
    if (bytes >= HUGE_PAGE) ask_for_huge_pages(first, bytes);
    if (zeros && bytes < LARGE) memset(first, 0, (size_t)bytes);
    return keep_head(first, head);
}

/* Touches each huge page, so that the system gives it now. If it does not, that costs one small page each. */
static void *allocate_huge(int64_t bytes, int64_t alignment) {
    const int64_t unit = alignment > HUGE_PAGE ? alignment : HUGE_PAGE, size = rounded_up(bytes, HUGE_PAGE);
    struct head head = {NULL, bytes, alignment, size + 2 * unit};
    char *data;
    head.block = pages_reserve((size_t)head.mapped);
    if (!head.block) return NULL;
    data = (char *)head.block + unit - (uintptr_t)head.block % (uintptr_t)unit;
    if (!pages_open(data - PAGE, (size_t)(size + PAGE))) {
        pages_release(head.block, (size_t)head.mapped);
        return NULL;
    }
    (void)keep_head(data, head);
    ask_for_huge_pages(data, size);
    for (int64_t page = 0; page < size; page += HUGE_PAGE)
        data[page] = 0;
    return data;
}

static void *make(int64_t bytes, int64_t alignment, bool huge_pages, bool zeros) {
    const bool sane = bytes >= 0 && bytes <= PTRDIFF_MAX - 4 * MOST_ALIGNMENT;
    void *data = NULL;
    if (sane) data = huge_pages && bytes > 0 ? allocate_huge(bytes, alignment) : allocate(bytes, alignment, zeros);
    if (data)
        memory_hold(bytes + PAGE);
    else
        error_record(CL_OUT_OF_HOST_MEMORY, CLUE_CAUSE_MEMORY, "clue_array_allocate",
                     "no memory for an array of %lld bytes", (long long)bytes);
    return data;
}

void *clue_array_allocate_aligned(int64_t bytes, int64_t alignment, int32_t huge_pages) {
    if (alignment < 1 || alignment > MOST_ALIGNMENT || (alignment & (alignment - 1))) {
        error_record(CL_INVALID_VALUE, CLUE_CAUSE_PARAMETER, "clue_array_allocate_aligned",
                     "the alignment is %lld, which is not a power of two up to 2^30", (long long)alignment);
        return NULL;
    }
    return make(bytes, alignment < PAGE ? PAGE : alignment, huge_pages, true);
}

void *clue_array_allocate(int64_t bytes) {
    return make(bytes, PAGE, false, true);
}

void *clue_array_copy(const void *source, int64_t bytes) {
    void *data = make(bytes, PAGE, false, false);
    if (data && bytes > 0) memcpy(data, source, (size_t)bytes);
    return data;
}

static struct head head_of(const void *data) {
    struct head head;
    memcpy(&head, (const char *)data - sizeof head, sizeof head);
    return head;
}

void *clue_array_resized(const void *data, int64_t bytes) {
    const struct head head = head_of(data);
    void *made = make(bytes, head.alignment, head.mapped != 0, true);
    if (made) memcpy(made, data, (size_t)(bytes < head.bytes ? bytes : head.bytes));
    return made;
}

void clue_array_free(void *data) {
    struct head head;
    if (!data) return;
    head = head_of(data);
    memory_let_go(head.bytes + PAGE);
    if (head.mapped)
        pages_release(head.block, (size_t)head.mapped);
    else
        free(head.block);
}

int64_t clue_array_huge_bytes(const void *data, int64_t bytes) {
    const int64_t total = pages_huge_bytes(data, bytes);
    return total < bytes ? total : bytes;
}
