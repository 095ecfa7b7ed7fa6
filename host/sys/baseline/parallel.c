/* parallel.c - loops on several cores. Threads live for one call: a baseline runs for milliseconds at least, and a
 * pool would be state to look after. The library stays single-threaded by contract: what runs here touches the
 * caller's memory only. */
#include "parallel.h"

#include "../../core/core.h"

#include <pthread.h>
#include <unistd.h>

enum { MOST_THREADS = 256 };

typedef struct part {
    pthread_t thread;
    int64_t first, end;
    parallel_work *work;
    void *data;
    int32_t code;
    bool started;
} part;

int32_t clue_processor_count(void) {
    const long count = sysconf(_SC_NPROCESSORS_ONLN);
    return count < 1 ? 1 : count > MOST_THREADS ? MOST_THREADS : (int32_t)count;
}

static void *run_part(void *data) {
    part *p = data;
    p->code = p->work(p->data, p->first, p->end);
    return NULL;
}

int32_t parallel_run(int64_t first, int64_t end, int32_t threads, parallel_work *work, void *data) {
    part parts[MOST_THREADS];
    int32_t code = CL_SUCCESS;
    int64_t count = threads > 0 ? threads : clue_processor_count();
    if (count > MOST_THREADS) count = MOST_THREADS;
    if (count > end - first) count = end - first;
    for (int64_t i = 0; i < count; i++) {
        parts[i] =
            (part){.first = first + (end - first) * i / count, .end = first + (end - first) * (i + 1) / count};
        parts[i].work = work;
        parts[i].data = data;
        parts[i].started = i > 0 && pthread_create(&parts[i].thread, NULL, run_part, &parts[i]) == 0;
    }
    for (int64_t i = 0; i < count; i++) {
        if (!parts[i].started) (void)run_part(&parts[i]);
    }
    for (int64_t i = 0; i < count; i++) {
        if (parts[i].started) (void)pthread_join(parts[i].thread, NULL);
        if (code == CL_SUCCESS) code = parts[i].code;
    }
    return code;
}
