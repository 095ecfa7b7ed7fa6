/* block.c - memory of objects of one size that come and go by the thousand: commands, events and buffers.
 *
 * A script's collector frees many of them at once, and then malloc() merges and splits blocks for longer than the
 * core works on a command. So freed blocks are kept for the next objects, which get the last one first. */
#include "base/base.h"

#include <stdlib.h>

/* How many are kept of a size, below a MiB of all sizes. AddressSanitizer must see each come and go. */
#ifndef __has_feature
#define __has_feature(name) 0
#endif
#if defined(__SANITIZE_ADDRESS__) || __has_feature(address_sanitizer)
enum { MOST = 0 };
#else
enum { MOST = 2560 };
#endif

struct block {
    block *next;
};

void *block_new(block_list *of) {
    block *taken = of->first;
    if (!taken) return malloc(of->size);
    of->first = taken->next;
    of->count--;
    return taken;
}

void block_free(block_list *of, void *freed) {
    block *kept = freed;
    if (of->count >= MOST) {
        free(freed);
        return;
    }
    kept->next = of->first;
    of->first = kept;
    of->count++;
}
