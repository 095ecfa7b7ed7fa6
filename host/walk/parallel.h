/* parallel.h - a loop of a host baseline on several cores. */
#ifndef WALK_PARALLEL_H
#define WALK_PARALLEL_H

#include <stdint.h>

/* Runs the iterations [first, end) of a loop; 0, or a code. Records no failure, because several run at once. */
typedef int32_t parallel_work(void *data, int64_t first, int64_t end);

/* Splits [first, end) into equal parts, one for each thread. threads: 0 for clue_processor_count(). Returns 0, or
 * the code of the first part that failed. If a thread cannot be started, that costs only time. */
int32_t parallel_run(int64_t first, int64_t end, int32_t threads, parallel_work *work, void *data);

#endif
