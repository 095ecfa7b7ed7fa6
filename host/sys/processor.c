/* processor.c - the number of processors that are online. */
#include "clue.h"

#include <unistd.h>

enum { MOST = 256 };

int32_t clue_processor_count(void) {
    const long count = sysconf(_SC_NPROCESSORS_ONLN);
    return count < 1 ? 1 : count > MOST ? MOST : (int32_t)count;
}
