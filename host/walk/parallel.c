/* parallel.c - runs loops on several cores. The threads live only during one call: a baseline runs for at least
 * milliseconds, and a pool would be state to manage. The library stays single-threaded by contract: the loops touch
 * only the caller's memory. */
#include "parallel.h"

#include "../sys/system.h"
#include "walk.h"

enum { MOST_THREADS = 256 };

typedef struct part {
    uintptr_t thread;
    int64_t first, end;
    parallel_work *work;
    void *data;
    int32_t code;
    bool started;
} part;

static void *run_part(void *data) {
    part *p = data;
    p->code = p->work(p->data, p->first, p->end);
    return NULL;
}

int32_t parallel_run(int64_t first, int64_t end, int32_t threads, parallel_work *work, void *data) {
    part parts[MOST_THREADS];
    int32_t code = WALK_DONE;
    int64_t count = threads > 0 ? threads : clue_processor_count();
    if (count > MOST_THREADS) count = MOST_THREADS;
    if (count > end - first) count = end - first;
    for (int64_t i = 0; i < count; i++) {
        parts[i] =
            (part){.first = first + (end - first) * i / count, .end = first + (end - first) * (i + 1) / count};
        parts[i].work = work;
        parts[i].data = data;
        parts[i].started = i > 0 && thread_start(&parts[i].thread, run_part, &parts[i]);
    }
    for (int64_t i = 0; i < count; i++)
        if (!parts[i].started) (void)run_part(&parts[i]);
    for (int64_t i = 0; i < count; i++) {
        if (parts[i].started) thread_join(parts[i].thread);
        if (code == WALK_DONE) code = parts[i].code;
    }
    return code;
}
