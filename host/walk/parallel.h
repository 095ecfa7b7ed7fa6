/* parallel.h - a loop of a host baseline on several cores. */
#ifndef WALK_PARALLEL_H
#define WALK_PARALLEL_H

#include <stdint.h>

/* Iterations [first, end) of a loop; 0, or a code. Records no failure: several run at once. */
typedef int32_t parallel_work(void *data, int64_t first, int64_t end);

/* Splits [first, end) into equal parts, one for each thread; threads of 0: as many as clue_processor_count() says.
 * 0, or what the first part that failed gave. A thread that cannot be started costs only time. */
int32_t parallel_run(int64_t first, int64_t end, int32_t threads, parallel_work *work, void *data);

#endif
