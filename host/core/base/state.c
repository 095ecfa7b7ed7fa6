/* state.c - what a program may ask of the library at any moment: how much memory its objects hold, what it waits
 * for, and through which loader it calls. */
#include "base/base.h"

#include <stdatomic.h>
#include <stdio.h>

/* ---- the memory of objects outside the script's own heap: arrays, and memory of devices ----
 *
 * A garbage collector sees a few bytes of such an object, and not this memory. So it should collect when half as
 * much again is held as after its last collection. It should do so earlier when that costs little beside making so
 * much: then less piles up, and what is freed can be used again before the system has taken it back. */

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

/* ---- what the library is waiting for ----
 *
 * A driver's call cannot be cancelled, so a signal handler asks here whether one is running before it decides how
 * to end the process. Kernels print during such a call, and PoCL does so past C's buffer. So the host's own output
 * is flushed first; then it also survives a crash of the kernel. */

static const char *volatile waiting;
static char waiting_text[256];

const char *clue_waiting(void) {
    return waiting;
}

const char *clue_calling(void) {
    return trace_running();
}

void waiting_for(const char *what) {
    (void)fflush(stdout);
    text_cut(waiting_text, sizeof waiting_text, what);
    waiting = waiting_text;
}

void waiting_is_over(void) {
    waiting = NULL;
}

/* ---- the ICD loader, which stands between the library and the drivers ---- */

/* The extension cl_icdl of ocl-icd and the Khronos loader. No header in Debian declares it. */
enum { LOADER_VERSION = 2, LOADER_NAME = 3 };
typedef cl_int (*loader_info)(cl_uint property, size_t size, void *value, size_t *size_out);

const char *clue_loader_name(void) {
    static char text[160];
    char name[64] = "", version[64] = "";
    loader_info ask;
    if (text[0]) return text;
    /* ISO C cannot convert an object's pointer to a function's; POSIX guarantees it. */
    *(void **)&ask = clGetExtensionFunctionAddress("clGetICDLoaderInfoOCLICD");
    if (ask && ask(LOADER_NAME, sizeof name - 1, name, NULL) == CL_SUCCESS &&
        ask(LOADER_VERSION, sizeof version - 1, version, NULL) == CL_SUCCESS)
        snprintf(text, sizeof text, "%s %s", name, version);
    return text;
}
