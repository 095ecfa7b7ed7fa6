/* held.c - how much memory a script's objects hold outside the script's own heap: arrays, and memory of devices.
 *
 * A garbage collector sees a few bytes of such an object, and not this memory. So it should collect when half as
 * much again is held as after its last collection. It should do so earlier when that costs little beside making so
 * much: then less piles up, and what is freed can be used again before the system has taken it back. */
#include "base/base.h"

#include <stdatomic.h>

enum { WORTH = 32 /* bytes made for one that a collection goes through */ };

/* Drivers free memory that they used in place from their own threads. */
static _Atomic int64_t held, patience = LEAST_MORE, heap;

static int64_t patience_for(int64_t bytes) {
    const int64_t half = bytes / 2, more = heap < half / WORTH ? heap * WORTH : half;
    return bytes + (more > LEAST_MORE ? more : LEAST_MORE);
}

void memory_hold(int64_t bytes) {
    held += bytes;
}

void memory_let_go(int64_t bytes) {
    held -= bytes;
    if (patience > patience_for(held)) patience = patience_for(held); /* what was freed does not count */
}

int32_t clue_memory_crowded(int64_t bytes) {
    return bytes > patience - held;
}

void clue_memory_collected(int64_t heap_bytes) {
    heap = heap_bytes;
    patience = patience_for(held);
}
